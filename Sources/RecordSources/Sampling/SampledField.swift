/// A column, or the values of one name in the records of a nested source.
package struct SampledField {
    /// The name in the source; names of XML attributes begin with `@`.
    package let name: String
    /// The name as a step of a path.
    package let step: String
    /// The number of nested arrays around the values; 1 for an XML element that occurs several times.
    var levels = 0
    package var values: SampledValues
    /// The structure of its objects or elements; nil if there are only single values.
    package var part: SampledPart?
    /// The structure of the members of its objects; nil if there are no objects, and for XML.
    private(set) var members: SampledMembers?
    private let isJSON: Bool

    init(name: String, step: String, isJSON: Bool, limits: DraftLimits) {
        self.isJSON = isJSON
        values = SampledValues(limits)
        self.name = name
        self.step = step
    }

    /// The path relative to the enclosing part.
    package var path: String { step + String(repeating: "[*]", count: levels) }

    package var isRepeated: Bool { levels > 0 }

    /// The structure of its members if they are records with IDs as keys; otherwise nil.
    package var keyedPart: SampledPart? { levels == 0 && members?.areRecords ?? false ? members?.part : nil }

    mutating func add(node: Int, of batch: RecordBatch, depth: Int, level: Int = 0) {
        let found = batch.nodes[node]
        if found.kind == .array {
            levels = max(levels, level + 1)
            var item = Int(found.firstChild)
            while item >= 0 && level < values.limits.arrayDepth {
                add(node: item, of: batch, depth: depth, level: level + 1)
                item = Int(batch.nodes[item].nextSibling)
            }
            return
        }
        if found.isLeaf { values.add(found.value, of: batch) }
        guard found.kind == .object, found.firstChild >= 0 || !found.isLeaf else { return }
        if isJSON, depth < values.limits.memberDepth {
            var members = members ?? SampledMembers(values.limits)
            members.add(node: node, of: batch, depth: depth + 1)
            self.members = members
        }
        var part = part ?? SampledPart(isJSON: isJSON, limits: values.limits)
        part.add(node: node, of: batch, depth: depth + 1)
        // An element with attributes may also have a text.
        if found.isLeaf { part.add(text: found.value, of: batch) }
        self.part = part
    }
}
