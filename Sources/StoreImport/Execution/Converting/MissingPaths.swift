/// The paths of a source that no record of its files has.
struct MissingPaths: Codable {
    /// The last file that had records.
    let file: Int
    let paths: [ImportReport.MissingPath]
}
