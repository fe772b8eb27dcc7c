//! How alike two pages are. Similarity says how much; [facets](crate::digest::Facet) say whether.
