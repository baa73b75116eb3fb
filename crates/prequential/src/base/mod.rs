//! What every module may use: errors, number formats, messages, progress and stopping.

pub(crate) mod cholesky;
pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod message;
pub(crate) mod nats;
pub(crate) mod normal;
pub(crate) mod observer;
pub(crate) mod option_table;
pub(crate) mod stop;
pub(crate) mod units;
