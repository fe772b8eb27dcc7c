//! Where a test keeps its things: a database that is gone afterwards.

use std::path::PathBuf;
use std::sync::Arc;
use tidemark_engine::store::Store;

/// A database for one test.
pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) store: Arc<dyn Store>,
    folder: Option<tempfile::TempDir>,
}

impl Place {
    /// The file, where it is one.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.as_ref().expect("a file").path().join("tidemark.db")
    }
}

pub(crate) fn sqlite() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("tidemark.db").display());
    let store = tidemark_store::open(&url).unwrap();
    Place { url, store, folder: Some(folder) }
}

pub(crate) fn postgres() -> Option<Place> {
    let url = crate::cluster::shared()?.database();
    let store = tidemark_store::open(&url).unwrap();
    Some(Place { url, store, folder: None })
}

/// Runs each of these functions over both databases, as tests of their own. After each, the database must be sound.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $name() {
                let place = $crate::place::sqlite();
                super::$name(&place);
                $crate::help::assert_sound(&*place.store);
            })*
        }
        mod postgres {
            $(#[test]
            fn $name() {
                if let Some(place) = $crate::place::postgres() {
                    super::$name(&place);
                    $crate::help::assert_sound(&*place.store);
                }
            })*
        }
    };
}
pub(crate) use on_both;
