/// The paths of a source that no record in its files has.
struct MissingPaths: Codable {
    /// The last file that has records.
    let file: Int
    let paths: [ImportReport.MissingPath]
}
