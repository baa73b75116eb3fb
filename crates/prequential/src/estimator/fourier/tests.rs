//! Tests of the whole predictor.
