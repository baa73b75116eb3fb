//! Dates as numbers: days since 1970-01-01, the time of day as a fraction.

pub(crate) const SECONDS_PER_DAY: i64 = 24 * 60 * 60;
pub(crate) const MILLISECONDS_PER_DAY: i64 = 1000 * SECONDS_PER_DAY;
pub(crate) const MICROSECONDS_PER_DAY: i64 = 1000 * MILLISECONDS_PER_DAY;
pub(crate) const NANOSECONDS_PER_DAY: i64 = 1000 * MICROSECONDS_PER_DAY;
const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

/// Outside these years a date has no text other than its number of days.
const MAX_DAYS: f64 = 1e9;

/// The days of a point in time: whole days, and nanoseconds into the day.
///
/// Every reader comes here with whole numbers, so that one point in time is one number whatever unit it was kept in.
pub(crate) fn days(day: i64, nanoseconds: i64) -> f64 {
    day as f64 + nanoseconds as f64 / NANOSECONDS_PER_DAY as f64
}

/// The days of a count of units since 1970-01-01, so many of which make a day (any divisor of the nanoseconds).
pub(crate) fn from_units(count: i64, units_per_day: i64) -> f64 {
    days(
        count.div_euclid(units_per_day),
        count.rem_euclid(units_per_day) * (NANOSECONDS_PER_DAY / units_per_day),
    )
}

/// The days of `2021-03-04`, or of `2021-03-04 12:34:56.789`, with a `T` for the blank if you like.
///
/// A time zone (`Z`, `+01:00`) is taken into account; without one, the time is that of Greenwich.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, nanoseconds_and_zone(time)?),
        None => (text, 0),
    };
    Some(days(day_number(date)? + time.div_euclid(NANOSECONDS_PER_DAY), time.rem_euclid(NANOSECONDS_PER_DAY)))
}

/// The date as ISO 8601 writes it; the time of day only where it is not midnight, to the microsecond.
pub(crate) fn text(days: f64) -> String {
    if days.is_nan() || days.abs() > MAX_DAYS {
        return super::numbers::number_text(days);
    }
    let whole = days.floor();
    let within = ((days - whole) * MICROSECONDS_PER_DAY as f64).round() as i64;
    let (year, month, day) = civil(whole as i64 + within.div_euclid(MICROSECONDS_PER_DAY));
    let date = format!("{year:04}-{month:02}-{day:02}");
    match within.rem_euclid(MICROSECONDS_PER_DAY) {
        0 => date,
        microseconds => format!("{date}T{}", time_text(microseconds)),
    }
}

fn time_text(microseconds: i64) -> String {
    let (seconds, fraction) = (microseconds / 1_000_000, microseconds % 1_000_000);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match fraction {
        0 => time,
        _ => format!("{time}.{fraction:06}").trim_end_matches('0').to_string(),
    }
}

/// The days from 1970-01-01 to `2021-03-04`.
fn day_number(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let number = day_of_civil(year, month, day);
    // A day that the month does not have would be one of the next month.
    (parts.next().is_none() && (1..=12).contains(&month) && civil(number) == (year, month, day))
        .then_some(number)
}

/// The nanoseconds since midnight in Greenwich of `12:34`, `12:34:56.789` or `12:34:56+01:00`.
fn nanoseconds_and_zone(time: &str) -> Option<i64> {
    let (time, zone) = match time.find(['Z', '+', '-']) {
        Some(at) => (&time[..at], zone_seconds(&time[at..])?),
        None => (time, 0),
    };
    let (time, fraction) = match time.split_once('.') {
        Some((time, fraction)) => (time, fraction_nanoseconds(fraction)?),
        None => (time, 0),
    };
    let mut parts = time.split(':');
    let (hours, minutes) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let seconds = parts.next().map_or(Some(0), |seconds| digits(seconds, 2))?;
    let is_time = parts.next().is_none() && hours < 24 && minutes < 60 && seconds < 60;
    let seconds = hours * 3600 + minutes * 60 + seconds - zone;
    is_time.then_some(seconds * NANOSECONDS_PER_SECOND + fraction)
}

/// The seconds that a zone is ahead of Greenwich: `Z`, `+01`, `+0100`, `-05:30`.
fn zone_seconds(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone[1..].split_at_checked(2)?;
    let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
    let minutes = if minutes.is_empty() { 0 } else { digits(minutes, 2)? };
    Some(sign * (digits(hours, 2)? * 3600 + minutes * 60))
}

/// `5` is half a second.
fn fraction_nanoseconds(fraction: &str) -> Option<i64> {
    let number = (1..=9).contains(&fraction.len()).then(|| digits(fraction, fraction.len()))??;
    Some(number * 10_i64.pow(9 - fraction.len() as u32))
}

/// A number of exactly `n` digits.
fn digits(text: &str, n: usize) -> Option<i64> {
    let is_number = text.len() == n && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// The days from 1970-01-01 to a date of the Gregorian calendar; after Howard Hinnant, `days_from_civil`.
fn day_of_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of a number of days; after Howard Hinnant, `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let (era, day_of_era) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * month_from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dates_are_days_and_times_are_fractions() {
        let cases = [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2000-02-29", 11016.0),
            ("2021-03-04", 18690.0),
            ("2021-03-04T12:00", 18690.5),
            ("2021-03-04 06:00:00", 18690.25),
            ("2021-03-04 23:59:60", f64::NAN),
            ("2021-03-04T12:00:00Z", 18690.5),
            ("2021-03-04 12:00:00+06:00", 18690.25),
            ("2021-03-04T00:00:00-0600", 18690.25),
            ("2021-03-04 00:00:00+06", 18689.75),
            ("0000-03-01", -719_468.0),
            ("9999-12-31", 2_932_896.0),
        ];
        for (text, days) in cases {
            assert_eq!(parse(text).unwrap_or(f64::NAN).to_bits(), days.to_bits(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "2021",
            "2021-3-4",
            "2021-02-29",
            "2021-13-01",
            "2021-00-10",
            "2021-01-00",
            "04.03.2021",
            "2021-03-04T",
            "2021-03-04 noon",
            "2021-03-04T24:00",
            "2021-03-04T12",
            "2021-03-04T12:00:00.",
            "2021-03-04T12:00:00+",
            "2021-03-04T12:00:00.1234567890",
            "2021-03-04-05",
            "+021-03-04",
            "2021-03-04T12:00é",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn one_point_in_time_is_one_number_whatever_its_unit() {
        let seconds = 1_614_861_296_i64;
        let days = from_units(seconds, SECONDS_PER_DAY);
        assert_eq!(from_units(seconds * 1000, MILLISECONDS_PER_DAY), days);
        assert_eq!(from_units(seconds * 1_000_000, MICROSECONDS_PER_DAY), days);
        assert_eq!(from_units(seconds * 1_000_000_000, NANOSECONDS_PER_DAY), days);
        assert_eq!(parse("2021-03-04T12:34:56"), Some(days));
        assert_eq!(text(days), "2021-03-04T12:34:56");
        assert_eq!(text(from_units(-1, MILLISECONDS_PER_DAY)), "1969-12-31T23:59:59.999");
        assert_eq!(text(1e300), "1e300");
    }

    proptest! {
        #[test]
        fn texts_of_dates_read_back(day in -719_000_i64..2_900_000, second in prop::option::of(0..86_400_i64)) {
            let days = days(day, second.unwrap_or(0) * NANOSECONDS_PER_SECOND);
            prop_assume!(second.is_none() || day.abs() < 60_000);
            prop_assert_eq!(parse(&text(days)), Some(days));
        }

        #[test]
        fn no_text_makes_reading_a_date_panic(text in "[0-9TZ:.+ é-]{0,30}", any in ".{0,20}") {
            let _ = (parse(&text), parse(&any));
            let _ = parse(&format!("2021-03-04T{text}"));
        }
    }
}
