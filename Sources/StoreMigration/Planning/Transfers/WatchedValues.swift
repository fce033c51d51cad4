import SQLiteFileBuilder

/// The checks of rows as they are written, which replace queries of the source before the migration.
///
/// A check only shows that there may be a finding; the queries are then executed.
struct WatchedValues: Sendable {
    var columns: [ColumnExpectation] = []

    /// Conditions on the source row `s` that no row should meet.
    var conditions: [String] = []
}
