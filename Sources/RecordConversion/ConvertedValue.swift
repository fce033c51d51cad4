public import SQLiteAccess

/// A value in the form in which a store holds it; texts and blobs are in the arena of the record's batch.
///
/// A date is a real: seconds since 2001-01-01T00:00:00Z. A text is the value of a string or URI, or the digits of a
/// decimal. A blob has the bytes of a binary attribute, or the sixteen bytes of a UUID.
public typealias ConvertedValue = ArenaValue
