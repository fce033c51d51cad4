/// The structure of the first records of a source.
package struct SourceSample {
    package let path: String
    /// The settings that are required to read the source, unless they are detected in the file.
    package var format: SourceFormat
    /// Names for the records, the best one first: an element, a table, a key, or the file.
    package var titles: [String]
    package var records: SampledPart
    /// A remark for a comment in the draft, such as the dialect of a CSV file.
    package var remark: String?
    /// The table, for a database.
    package var relation: SQLiteRelation?

    /// The name of the file without its folders, as in `files` of a mapping.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The name of the records in messages.
    package var title: String { titles.first ?? fileName }
}
