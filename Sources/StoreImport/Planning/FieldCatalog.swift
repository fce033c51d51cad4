/// What a mapping calls the values of a source, and where they are in its records.
struct FieldCatalog {
    /// The columns of a flat source; nil for a nested one, whose fields are paths.
    let columns: [String]?
    /// The paths that become the fields of a nested source's records, in order.
    private(set) var paths: [RecordPath] = []
    private(set) var names = FieldNames()

    init(columns: [String]?) {
        self.columns = columns
    }

    /// The field of a name or path.
    mutating func origin(_ name: String) throws(ImportPlanError) -> CompiledOrigin {
        if let columns {
            if let index = columns.firstIndex(of: name) {
                guard columns.lastIndex(of: name) == index else { throw ImportPlanError(.ambiguousColumn(name)) }
                return .field(index)
            }
            // A header that differs in case or in space around it is still that column, if it is the only one.
            let wanted = Self.folded(name)
            let similar = columns.indices.filter { Self.folded(columns[$0]) == wanted }
            guard similar.count == 1 else { throw ImportPlanError(.unknownColumn(name, known: columns)) }
            return .field(similar[0])
        }
        let path = try self.path(name)
        if let index = paths.firstIndex(of: path) { return .field(index) }
        paths.append(path)
        return .field(paths.count - 1)
    }

    mutating func path(_ text: String) throws(ImportPlanError) -> RecordPath {
        do {
            return try RecordPath(text, names: &names)
        } catch {
            throw ImportPlanError(.badPath(text, reason: error.reason))
        }
    }

    private static func folded(_ name: String) -> String {
        String(name.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" })
    }
}
