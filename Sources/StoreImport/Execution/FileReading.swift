import RecordSources

/// The file of an import that is being read.
struct FileReading {
    /// The index of the file.
    var file = 0
    /// Whether its records were imported before, without some of their links.
    var isOfUnlinkedRecords = false
    /// The information for writing its rejected records to a file; nil before the first batch.
    var rejectSource: RejectSource?
}
