//! Nothing: this package only names what to fetch.
