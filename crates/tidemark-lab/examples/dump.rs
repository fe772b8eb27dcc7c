use tidemark_core::{digest::*, page::*};
fn main() {
    let out = std::env::args().nth(1).unwrap();
    let mut total=0; let mut residue=0; 
    for (i, line) in std::io::stdin().lines().enumerate() {
        let path = line.unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let t=std::time::Instant::now();
        let d = PageDigest::encode(&bytes, &Reading::default()).unwrap();
        let n = d.to_native(Variant::Plain).unwrap();
        let l = PageDigest::from_native(&n, &Limits::default()).unwrap();
        assert!(*l.revert().unwrap() == bytes, "{path}");
        let off = u64::from_le_bytes(n[64..72].try_into().unwrap()); let len=u64::from_le_bytes(n[72..80].try_into().unwrap()); let _=off;
        total+=bytes.len(); residue+=len;
        eprintln!("{path} {} res {} {:?} {:?}", bytes.len(), len, t.elapsed(), d.about().notes);
        if out != "-" { std::fs::write(format!("{out}/{i}.tmd"), n).unwrap(); std::fs::write(format!("{out}/{i}.raw"), bytes).unwrap(); }
    }
    eprintln!("total {total} residue {residue}");
}
