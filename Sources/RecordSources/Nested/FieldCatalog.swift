/// What a mapping calls the values of a source, and where they are in its records.
package struct FieldCatalog {
    /// The columns of a flat source; nil for a nested one, whose fields are paths.
    package let columns: [String]?
    /// The paths that become the fields of a nested source's records, in order.
    package private(set) var paths: [RecordPath] = []
    private(set) var names = FieldNames()

    package init(columns: [String]?) {
        self.columns = columns
    }

    /// The field of a path: a new one if no value was asked for there before.
    package mutating func field(of path: RecordPath) -> Int {
        if let index = paths.firstIndex(of: path) { return index }
        paths.append(path)
        return paths.count - 1
    }

    /// Reads a path; its names are among those of the source then.
    package mutating func path(reading text: String) throws(RecordPathError) -> RecordPath {
        try RecordPath(text, names: &names)
    }
}
