/// How much the parts of an edit take at once; tests set small ones, to cross them.
struct EditLimits: Sendable {
    /// The rules of the model that one statement counts the broken ones of: SQLite's results have up to 2000 columns,
    /// and all of these tests together are one expression for each row.
    var rules = 400

    /// The columns that one row value compares in a merge: SQLite's have up to 2000, and expressions are up to 1000 deep.
    var comparedColumns = 500
}
