/// The names that a mapping uses for the values of a source, and their places in the records.
package struct FieldCatalog {
    /// The columns of a flat source; nil for a nested one, whose fields are paths.
    package let columns: [String]?
    /// The paths whose values are the fields of a nested source's records, in order.
    package private(set) var paths: [RecordPath] = []
    private(set) var names = FieldNames()

    package init(columns: [String]?) {
        self.columns = columns
    }

    /// Returns the field of a path; adds a field if the path is new.
    package mutating func field(of path: RecordPath) -> Int {
        if let index = paths.firstIndex(of: path) { return index }
        paths.append(path)
        return paths.count - 1
    }

    /// Parses a path, and adds its names to those of the source.
    package mutating func path(reading text: String) throws(RecordPathError) -> RecordPath {
        try RecordPath(text, names: &names)
    }
}
