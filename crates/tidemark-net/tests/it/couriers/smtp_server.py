"""A mail server for the tests: aiosmtpd with STARTTLS, TLS and logins. Writes each message into a folder.

usage: smtp_server.py FOLDER MODE [CERTIFICATE KEY [PORT]]    MODE is plain, open, starttls or tls
The port is printed first. Recipients say what becomes of their mail: later@, never@, busy@, cut@; all others get it.
"""

import asyncio
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

folder, mode = pathlib.Path(sys.argv[1]), sys.argv[2]
context = None
port = int(sys.argv[5]) if len(sys.argv) > 5 else 0
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])


class Handler:
    count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        answers = {"later": "451 4.3.0 try again", "never": "550 5.1.1 no such person", "busy": "421 4.3.2 closing"}
        answer = answers.get(address.split("@")[0])
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("cut@"):
            server.transport.abort()
            return "250 never sent"
        self.count += 1
        about = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "user": session.auth_data.login.decode() if session.auth_data else None,
            "encrypted": mode == "tls" or session.ssl is not None,
            "connection": server.number,
        }
        (folder / f"{self.count:04}.eml").write_bytes(envelope.original_content)
        (folder / f"{self.count:04}.json").write_text(json.dumps(about))
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"ann@example.org", b"p@ss word")
    return AuthResult(success=known, handled=known or None, auth_data=data if known else None)


handler = Handler()
connections = 0


def session():
    global connections
    connections += 1
    login = {} if mode == "open" else {"auth_required": True, "authenticator": authenticate}
    encryption = {"tls_context": context, "require_starttls": True} if mode == "starttls" else {}
    server = SMTP(handler, hostname="mail.example", auth_require_tls=mode == "starttls", **login, **encryption)
    server.number = connections
    return server


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(session, "127.0.0.1", port, ssl=context if mode == "tls" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
