/// The structure of the records of a source, or of parts within records.
package struct SampledPart {
    /// The number of these records or parts in the sample.
    package private(set) var count = 0
    /// Their values and parts, in the order of appearance.
    package private(set) var fields: [SampledField] = []
    /// Whether they are parts of a tree, and not rows.
    package private(set) var isNested = true
    private var places: [String: Int] = [:]
    private var isJSON = false
    package let limits: DraftLimits

    init(isJSON: Bool = false, limits: DraftLimits = DraftLimits()) {
        self.isJSON = isJSON
        self.limits = limits
    }

    /// Creates a part with the columns of a flat source.
    init(columns: [SourceColumn], limits: DraftLimits) {
        isNested = false
        self.limits = limits
        for column in columns { _ = place(of: column.name, path: column.name) }
    }

    /// Adds a record of a flat source.
    mutating func add(record: Int, of batch: RecordBatch) {
        count += 1
        for column in fields.indices { fields[column].values.add(batch.field(column, of: record), of: batch) }
    }

    /// Adds a JSON object or an XML element.
    ///
    /// - Parameter isMember: whether it is a member of an object, with its ID as the key.
    mutating func add(node: Int, of batch: RecordBatch, depth: Int = 0, isMember: Bool = false) {
        count += 1
        guard depth < limits.partDepth else { return }
        let found = batch.nodes[node]
        // The key of an object's member that is a record.
        if isMember || (depth == 0 && found.name.kind == .quoted), let place = place(of: "@key", path: "@key") {
            fields[place].values.add(found.name, of: batch)
        }
        if !found.isLeaf { add(text: found.value, of: batch) }
        var occurrences: [Int: Int] = [:]
        var child = Int(found.firstChild)
        while child >= 0 {
            let name = batch.text(of: batch.nodes[child].name)
            if let path = RecordPath.step(for: name), let place = place(of: name, path: path) {
                occurrences[place, default: 0] += 1
                fields[place].add(node: child, of: batch, depth: depth)
            }
            child = Int(batch.nodes[child].nextSibling)
        }
        for (place, count) in occurrences where count > 1 { fields[place].levels = max(1, fields[place].levels) }
    }

    /// Adds the text of an element that has not only text.
    mutating func add(text: RecordField, of batch: RecordBatch) {
        guard !text.isAbsent, text.length > 0, let place = place(of: "text()", path: "text()") else { return }
        fields[place].values.add(text, of: batch)
    }

    /// Returns the index of a field; nil if there are too many.
    private mutating func place(of name: String, path: String) -> Int? {
        if let place = places[name] { return place }
        guard fields.count < limits.fields else { return nil }
        places[name] = fields.count
        fields.append(SampledField(name: name, step: path, isJSON: isJSON, limits: limits))
        return fields.count - 1
    }
}
