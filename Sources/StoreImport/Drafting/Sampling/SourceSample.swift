/// What the first records of a source show.
struct SourceSample {
    let path: String
    /// How the source is to be read, as far as the file itself does not tell.
    var format: SourceFormat
    /// What the records are called, the best name first: an element, a table, a key, the file.
    var titles: [String]
    var records: SampledPart
    /// What is worth a comment: the dialect of a CSV file.
    var remark: String?
    /// The table, of a database.
    var relation: SQLiteRelation?

    /// The name of the file without its folders, as `files` has it.
    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What messages call the records.
    var title: String { titles.first ?? fileName }
}
