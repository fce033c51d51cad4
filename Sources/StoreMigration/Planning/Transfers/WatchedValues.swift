import SQLiteFileBuilder

/// What is looked at in rows as they are written, in the place of questions that are asked of the source before.
///
/// It only tells that there may be something to find: the questions are asked then.
struct WatchedValues: Sendable {
    var columns: [ColumnExpectation] = []

    /// Conditions on the source row `s` that no row is to meet.
    var conditions: [String] = []
}
