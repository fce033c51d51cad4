import RecordSources

/// The file of an import that is being read.
struct FileReading {
    /// The index of the file.
    var file = 0
    /// Whether its records were imported before, but for links.
    var isOfUnlinkedRecords = false
    /// What a file of its rejected records needs; nil before the first batch.
    var rejectSource: RejectSource?
}
