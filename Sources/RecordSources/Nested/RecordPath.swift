/// A path from a record, or from a part of a record, to one of its values: `name`, `owner.id`, `tags[*].name`, `[0]`,
/// `@lang`.
///
/// A path is compiled once: its names become numbers of a `FieldNames`, so that only numbers are compared when it is
/// followed.
/// - `a.b` is the value of `b` in `a`. Names with other characters are quoted: `"first.name".x`.
/// - `a[*]` is every value of the JSON array `a`, or every XML element `a`; `a[0]` is the first of them.
/// - `a.*` is every member of the JSON object `a`, and `@key` at the end of a path is the name of that member.
/// - `@a` and `@"a.b"` are attributes of an XML element, or keys that begin with `@` in JSON.
/// - `text()` at the end is the text of an XML element, even if it has children; `.` is the record itself.
public struct RecordPath: Equatable, Sendable {
    /// A step from a value to values in it.
    public enum Step: Equatable, Sendable {
        /// The member or child element with a name, given by its number.
        case child(Int32)
        /// The item at an index, from 0.
        case item(Int)
        /// Each item of an array, or each element with the name.
        case every
        /// Each member of an object, whatever its name.
        case members
    }

    /// The path as it was written.
    public let text: String
    /// The steps from the record on; empty for the record itself.
    public let steps: [Step]
    /// Whether the path requests the text of an element even if the element has children.
    public let endsInText: Bool
    /// Whether the path requests the name of a JSON object's member, if there is no key `@key`.
    let endsInKey: Bool

    /// The largest number of steps; no one writes longer paths.
    static let largestStepCount = 64

    /// Compiles a path.
    /// - Throws: `RecordPathError` with the place of the error.
    public init(_ text: String, names: inout FieldNames) throws(RecordPathError) {
        var parser = RecordPathParser(text)
        let parsed = try parser.parse()
        self.text = text
        endsInText = parsed.endsInText
        endsInKey = parsed.steps.last == .name("@key") && !endsInText
        steps = parsed.steps.map { step in
            switch step {
            case .name(let name): .child(names.number(of: name))
            case .item(let index): .item(index)
            case .every: .every
            case .members: .members
            }
        }
    }

    private init(text: String, steps: [Step], endsInText: Bool, endsInKey: Bool = false) {
        self.endsInKey = endsInKey
        self.text = text
        self.steps = steps
        self.endsInText = endsInText
    }

    /// Returns the concatenation of this path and another one.
    package func appending(_ other: RecordPath) -> RecordPath {
        RecordPath(
            text: other.text == "." ? text : text + "." + other.text, steps: steps + other.steps,
            endsInText: other.endsInText, endsInKey: other.endsInKey)
    }

    /// Whether the path leads to a value only if the record is an object.
    var beginsWithName: Bool {
        if endsInKey && steps.count == 1 { return false }
        if case .child = steps.first { return true }
        return false
    }

    /// Calls a closure with every value that the path leads to, until it returns false; returns whether it never did.
    @discardableResult
    public func visit(_ nodes: [RecordNode], from node: Int, _ body: (Int) -> Bool) -> Bool {
        visit(nodes, from: node, step: 0) { found, isOneOfSeveral in isOneOfSeveral || body(found) }
    }

    /// Takes a value that the path leads to. Before that, it takes the node that stands for several values if the path
    /// does not say which one is meant: the first of several XML elements, or a JSON array with items. Returns whether
    /// to continue.
    private typealias Visitor = (_ node: Int, _ isOneOfSeveral: Bool) -> Bool

    @discardableResult
    private func visit(_ nodes: [RecordNode], from node: Int, step: Int, _ body: Visitor) -> Bool {
        guard step < steps.count else { return body(node, false) }
        switch steps[step] {
        case .child(let symbol):
            guard nodes[node].kind == .object else {
                let isSeveral = step > 0 && nodes[node].kind == .array && nodes[node].firstChild >= 0
                return isSeveral ? body(node, true) : true
            }
            return visitChildren(nodes, of: node, symbol, step: step + 1, body)
        case .members:
            guard nodes[node].kind == .object || nodes[node].kind == .array else { return true }
            return visitItems(nodes, of: node, step: step + 1, body)
        case .every:
            guard nodes[node].kind == .array else { return visit(nodes, from: node, step: step + 1, body) }
            return visitItems(nodes, of: node, step: step + 1, body)
        case .item(let index):
            guard nodes[node].kind == .array else {
                return index == 0 ? visit(nodes, from: node, step: step + 1, body) : true
            }
            return visitItem(nodes, of: node, index, step: step + 1, body)
        }
    }

    /// Follows a name to the first child with this name, or to as many as an index or `[*]` after it requests.
    private func visitChildren(
        _ nodes: [RecordNode], of node: Int, _ symbol: Int32, step: Int, _ body: Visitor
    ) -> Bool {
        var selection: Step?
        if step < steps.count {
            switch steps[step] {
            case .every, .item: selection = steps[step]
            case .child, .members: selection = nil
            }
        }
        var position = 0
        var child = Int(nodes[node].firstChild)
        while child >= 0 {
            defer { child = Int(nodes[child].nextSibling) }
            guard nodes[child].symbol == symbol else { continue }
            guard nodes[child].kind != .array, let selection else {
                if selection == nil, isRepeated(nodes, child), !body(child, true) { return false }
                return visit(nodes, from: child, step: step, body)
            }
            if selection == .every {
                guard visit(nodes, from: child, step: step + 1, body) else { return false }
            } else if selection == .item(position) {
                return visit(nodes, from: child, step: step + 1, body)
            }
            position += 1
        }
        return true
    }

    private func visitItems(_ nodes: [RecordNode], of node: Int, step: Int, _ body: Visitor) -> Bool {
        var item = Int(nodes[node].firstChild)
        while item >= 0 {
            let isPart = nodes[item].kind != .attribute
            guard !isPart || visit(nodes, from: item, step: step, body) else { return false }
            item = Int(nodes[item].nextSibling)
        }
        return true
    }

    private func visitItem(
        _ nodes: [RecordNode], of node: Int, _ index: Int, step: Int, _ body: Visitor
    ) -> Bool {
        var item = Int(nodes[node].firstChild)
        var position = 0
        while item >= 0 && position < index {
            item = Int(nodes[item].nextSibling)
            position += 1
        }
        return item >= 0 ? visit(nodes, from: item, step: step, body) : true
    }

    /// Returns whether the path leads to a value, or would lead to one if an array on its way had items or a null were
    /// replaced.
    package func mayLead(_ nodes: [RecordNode], from node: Int) -> Bool {
        if !visit(nodes, from: node, { _ in false }) { return true }
        if endsInKey, key(nodes, from: node) != .missing { return true }
        for count in 1..<max(1, steps.count) {
            let prefix = RecordPath(text: text, steps: Array(steps[..<count]), endsInText: false)
            let isOpen = !prefix.visit(nodes, from: node) { found in
                !(nodes[found].isNull || nodes[found].kind == .array && nodes[found].firstChild < 0)
            }
            if isOpen { return true }
        }
        return false
    }

    /// Returns a name as a step of a path; nil if it cannot be written in a path.
    package static func step(for name: String) -> String? {
        let isAttribute = name.hasPrefix("@")
        let rest = isAttribute ? String(name.dropFirst()) : name
        guard !rest.isEmpty, !rest.contains("\"") else { return nil }
        let isPlain = !rest.contains { "./[]@".contains($0) } && rest != "text()" && rest != "*"
        return (isAttribute ? "@" : "") + (isPlain ? rest : "\"\(rest)\"")
    }

    /// Returns whether the path leads to a JSON null, or has one on its way.
    package func leadsToNull(_ nodes: [RecordNode], from node: Int) -> Bool {
        !visit(nodes, from: node) { !nodes[$0].isNull } || null(nodes, onTheWayFrom: node) != nil
    }

    /// Returns the JSON null at which the path ends before its last step; nil if there is none. If there are several
    /// values on the way, a path to a single value means the first.
    private func null(_ nodes: [RecordNode], onTheWayFrom start: Int) -> Int? {
        var node = start
        for step in steps.dropLast() {
            switch step {
            case .child(let symbol):
                guard nodes[node].kind == .object else { return nil }
                node = Int(nodes[node].firstChild)
                while node >= 0, nodes[node].symbol != symbol { node = Int(nodes[node].nextSibling) }
            case .item(let index):
                guard nodes[node].kind == .array else { return nil }
                node = Int(nodes[node].firstChild)
                for _ in 0..<index where node >= 0 { node = Int(nodes[node].nextSibling) }
            case .every, .members: return nil
            }
            if node < 0 { return nil }
            if nodes[node].isNull { return node }
        }
        return nil
    }

    /// Returns whether the path requests all items of an array or all members of an object on its way, and there are
    /// none, or there is a null in its place or on the way.
    package func leadsToEmptyList(_ nodes: [RecordNode], from node: Int) -> Bool {
        guard let last = steps.lastIndex(where: { $0 == .every || $0 == .members }) else {
            return leadsToNull(nodes, from: node)
        }
        if null(nodes, onTheWayFrom: node) != nil { return true }
        let kind: RecordNode.Kind = steps[last] == .every ? .array : .object
        var isEmpty = false
        RecordPath(text: text, steps: Array(steps[..<last]), endsInText: false).visit(nodes, from: node) { found in
            isEmpty = nodes[found].isNull || (nodes[found].kind == kind && nodes[found].firstChild < 0)
            return !isEmpty
        }
        return isEmpty
    }

    /// Returns the first value that the path leads to; `.missing` if there is none; a null if there is one on the way.
    ///
    /// If an XML element on the way is followed by others of its name, or if a JSON array with items is on the way, and
    /// the path does not say which one is meant, that node is returned: there is no single value.
    public func field(_ nodes: [RecordNode], from node: Int) -> RecordField {
        var field = RecordField.missing
        visit(nodes, from: node, step: 0) { found, isOneOfSeveral in
            // The length distinguishes it from a value that is a list or an object.
            field = isOneOfSeveral ? RecordField(.node, start: found, length: 1) : value(nodes, at: found)
            return false
        }
        if field == .missing, endsInKey { field = key(nodes, from: node) }
        if field == .missing, steps.count > 1, let null = null(nodes, onTheWayFrom: node) { return nodes[null].value }
        return field
    }

    /// Returns whether an XML element is followed by others of the same name.
    private func isRepeated(_ nodes: [RecordNode], _ found: Int) -> Bool {
        guard nodes[found].kind != .attribute, nodes[found].name.kind != .quoted else { return false }
        var sibling = Int(nodes[found].nextSibling)
        while sibling >= 0 {
            if nodes[sibling].symbol == nodes[found].symbol, nodes[sibling].kind != .attribute { return true }
            sibling = Int(nodes[sibling].nextSibling)
        }
        return false
    }

    /// Returns the name of the object member at the node; `.missing` if it is not a member.
    private func key(_ nodes: [RecordNode], from node: Int) -> RecordField {
        var field = RecordField.missing
        RecordPath(text: text, steps: steps.dropLast(), endsInText: false).visit(nodes, from: node) { found in
            // The names of XML elements are not keys.
            if nodes[found].name.kind == .quoted { field = nodes[found].name }
            return false
        }
        return field
    }

    /// Returns the field for a node at the end of this path: its value, or the node itself if it has children.
    public func value(_ nodes: [RecordNode], at node: Int) -> RecordField {
        let found = nodes[node]
        if endsInText || found.isLeaf { return found.value }
        return RecordField(.node, start: node, length: 0)
    }
}
