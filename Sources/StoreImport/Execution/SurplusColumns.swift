import PersistentStores

/// The columns that belong to no attribute, if there is no mapping file. Sources with the same columns share a finding.
struct SurplusColumns {
    let entity: String
    private var order: [[String]] = []
    /// By columns, the first source that has them, and the number of such sources.
    private var sources: [[String]: (first: String, count: Int64)] = [:]

    init(entity: String) {
        self.entity = entity
    }

    mutating func add(_ columns: [String], of source: String) {
        guard !columns.isEmpty else { return }
        if sources[columns] == nil { order.append(columns) }
        sources[columns, default: (source, 0)].count += 1
    }

    var findings: [String] {
        order.compactMap { columns in
            guard let (first, count) = sources[columns] else { return nil }
            let name = count > 1 ? "\(first) and \(Quantity.count(count - 1)) more" : first
            return "\(name): no attribute of \(entity) has the name of these columns: "
                + columns.joined(separator: ", ")
        }
    }
}
