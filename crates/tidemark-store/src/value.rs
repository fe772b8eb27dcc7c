//! What goes into a statement and what comes out of it, the same for both databases. Times are microseconds since 1970.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use tidemark_engine::store::StoreError;

/// What a statement is given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// What a statement gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    /// To be given to a statement again.
    pub(crate) fn as_arg(&self) -> Arg<'_> {
        match self {
            Self::Null => Arg::Null,
            Self::Int(value) => Arg::Int(*value),
            Self::Text(text) => Arg::Text(text),
            Self::Bytes(bytes) => Arg::Bytes(bytes),
        }
    }
}

/// A row of values. A value of another type than asked for was not written by us.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Vec<Value>);

/// The arguments of a statement.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::value::Arg::from($value)),*] };
}
pub(crate) use args;

impl Row {
    pub(crate) fn int(&self, at: usize) -> Result<i64, StoreError> {
        self.opt_int(at)?.ok_or_else(|| odd(at, "nothing"))
    }

    pub(crate) fn opt_int(&self, at: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(at) {
            Some(Value::Int(value)) => Ok(Some(*value)),
            Some(Value::Null) => Ok(None),
            other => Err(odd(at, kind(other))),
        }
    }

    /// A number that is never below zero.
    pub(crate) fn count(&self, at: usize) -> Result<u64, StoreError> {
        u64::try_from(self.int(at)?).map_err(|_| odd(at, "a number below zero"))
    }

    /// The number of a version.
    pub(crate) fn version(&self, at: usize) -> Result<u32, StoreError> {
        u32::try_from(self.int(at)?).map_err(|_| odd(at, "no version"))
    }

    pub(crate) fn text(&self, at: usize) -> Result<&str, StoreError> {
        self.opt_text(at)?.ok_or_else(|| odd(at, "nothing"))
    }

    pub(crate) fn opt_text(&self, at: usize) -> Result<Option<&str>, StoreError> {
        match self.0.get(at) {
            Some(Value::Text(value)) => Ok(Some(value)),
            Some(Value::Null) => Ok(None),
            other => Err(odd(at, kind(other))),
        }
    }

    pub(crate) fn bytes(&self, at: usize) -> Result<&[u8], StoreError> {
        self.opt_bytes(at)?.ok_or_else(|| odd(at, "nothing"))
    }

    pub(crate) fn opt_bytes(&self, at: usize) -> Result<Option<&[u8]>, StoreError> {
        match self.0.get(at) {
            Some(Value::Bytes(value)) => Ok(Some(value)),
            Some(Value::Null) => Ok(None),
            other => Err(odd(at, kind(other))),
        }
    }

    pub(crate) fn hash(&self, at: usize) -> Result<[u8; 32], StoreError> {
        self.bytes(at)?.try_into().map_err(|_| odd(at, "no hash"))
    }

    pub(crate) fn time(&self, at: usize) -> Result<Timestamp, StoreError> {
        time(self.int(at)?).ok_or_else(|| odd(at, "no time"))
    }

    pub(crate) fn opt_time(&self, at: usize) -> Result<Option<Timestamp>, StoreError> {
        self.opt_int(at)?.map(|value| time(value).ok_or_else(|| odd(at, "no time"))).transpose()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, at: usize) -> Result<T, StoreError> {
        let text = self.text(at)?;
        serde_json::from_str(text)
            .map_err(|error| StoreError::Damaged(format!("column {} cannot be read: {error}", at + 1)))
    }
}

/// A time as it is stored.
pub(crate) fn micros(time: Timestamp) -> i64 {
    time.as_microsecond()
}

/// A size as it is stored.
pub(crate) fn whole(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// A length of time as it is stored.
pub(crate) fn span(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// A value as JSON; of our own types, which all can be written.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Other {
        attempt: "write a value as JSON".to_owned(),
        reason: error.to_string(),
    })
}

/// A stored time; one beyond what a calendar holds is moved to its edge.
pub(crate) fn time(micros: i64) -> Option<Timestamp> {
    let edges = Timestamp::MIN.as_microsecond()..=Timestamp::MAX.as_microsecond();
    Timestamp::from_microsecond(micros.clamp(*edges.start(), *edges.end())).ok()
}

fn odd(at: usize, found: &str) -> StoreError {
    StoreError::Damaged(format!("column {} of a row holds {found}", at + 1))
}

fn kind(value: Option<&Value>) -> &'static str {
    match value {
        None => "no value",
        Some(Value::Null) => "nothing",
        Some(Value::Int(_)) => "a number",
        Some(Value::Text(_)) => "a text",
        Some(Value::Bytes(_)) => "bytes",
    }
}

macro_rules! from {
    ($($type:ty, $value:ident => $arg:expr;)*) => {
        $(impl<'a> From<$type> for Arg<'a> {
            fn from($value: $type) -> Self { $arg }
        })*
    };
}

from! {
    i64, value => Self::Int(value);
    i32, value => Self::Int(value.into());
    u32, value => Self::Int(value.into());
    usize, value => Self::Int(whole(value));
    bool, value => Self::Int(value.into());
    Timestamp, value => Self::Int(micros(value));
    tidemark_engine::page::PageId, value => Self::Int(value.0);
    tidemark_engine::watch::WatchId, value => Self::Int(value.0);
    tidemark_engine::record::ChangeId, value => Self::Int(value.0);
    &'a str, value => Self::Text(value);
    &'a String, value => Self::Text(value);
    &'a [u8], value => Self::Bytes(value);
    &'a Vec<u8>, value => Self::Bytes(value);
    &'a [u8; 32], value => Self::Bytes(value);
}

impl<'a, T: Into<Arg<'a>>> From<Option<T>> for Arg<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
