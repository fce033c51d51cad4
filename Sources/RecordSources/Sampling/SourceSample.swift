/// What the first records of a source show.
package struct SourceSample {
    package let path: String
    /// How the source is to be read, as far as the file itself does not tell.
    package var format: SourceFormat
    /// What the records are called, the best name first: an element, a table, a key, the file.
    package var titles: [String]
    package var records: SampledPart
    /// What is worth a comment: the dialect of a CSV file.
    package var remark: String?
    /// The table, of a database.
    package var relation: SQLiteRelation?

    /// The name of the file without its folders, as `files` has it.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What messages call the records.
    package var title: String { titles.first ?? fileName }
}
