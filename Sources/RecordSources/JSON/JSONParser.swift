/// A strict parser of a single JSON value (RFC 8259): it takes bytes, and returns nodes with offsets.
///
/// It uses its own stack, so that deep nesting cannot exhaust the call stack. Numbers are kept as text.
struct JSONParser {
    var limits: RecordLimits
    var duplicateKeys: JSONDuplicateKeys
    var names: FieldNames

    /// The unescaped strings, one after the other.
    var unescaped: [UInt8] = []
    /// The number of line feeds in the value.
    var lines = 0

    /// The containers around the innermost one, beginning with the outermost.
    private var stack: [Container] = []
    private var keys = JSONKeySet()
    var order: JSONKeyOrder
    /// The number of values to parse before the next one is tried as a plain object.
    var plainPause = 0
    /// The number of the record's keys that match `order`, and their nodes.
    private var matchedNodes: [Int] = []
    private var matching = Matching.follows
    private var objectCount = 0

    /// An object or array that is not closed yet.
    private struct Container {
        var node: Int
        var lastChild = -1
        var isObject: Bool
        /// The number of the object in the value, in the order in which the objects begin.
        var ordinal: Int

        /// The context of the outermost value.
        static let outside = Container(node: -1, isObject: false, ordinal: 0)
    }

    /// How the keys of the record relate to the order of the record before.
    private enum Matching {
        /// They have been the same so far.
        case follows
        /// They differ, and become the order for the next record.
        case learns
        /// They differ, and their order is not recorded.
        case ignores
    }

    enum Outcome: Equatable {
        /// The value is complete; the offset after it.
        case value(end: Int)
        case needsBytes
        case failure(RecordProblem.Code, offset: Int)
    }

    /// The future place of a value's bytes in the arena of a batch.
    struct Placement {
        /// The number that is added to an offset in the text.
        var toArena: Int
        /// Marks values in `unescaped`, whose offsets are adjusted once their place in the arena is known.
        static let unescapedBase = 1 << 31
    }

    init(
        limits: RecordLimits, duplicateKeys: JSONDuplicateKeys, names: FieldNames,
        order: JSONKeyOrder.Limits = JSONKeyOrder.Limits()
    ) {
        self.limits = limits
        self.order = JSONKeyOrder(limits: order)
        self.duplicateKeys = duplicateKeys
        self.names = names
    }

    /// Parses the value that begins at an offset, and appends its nodes; the first node is the value itself.
    ///
    /// `isLast` means that the text ends the source, so that a number at its end is complete.
    mutating func parse(
        _ text: Span<UInt8>, from start: Int, to end: Int, isLast: Bool, placement: Placement,
        into nodes: inout [RecordNode]
    ) -> Outcome {
        if let end = plainObject(text, from: start, to: end, isLast: isLast, placement: placement, into: &nodes) {
            return .value(end: end)
        }
        unescaped.removeAll(keepingCapacity: true)
        stack.removeAll(keepingCapacity: true)
        keys.reset()
        matchedNodes.removeAll(keepingCapacity: true)
        matching = .follows
        objectCount = 0
        lines = 0
        let firstNode = nodes.count
        var index = start
        var key = RecordField.missing
        var symbol: Int32 = -1
        var expectsKey = false
        var mayClose = false
        var open = Container.outside

        while true {
            while index < end, let isLineFeed = JSONParser.isSpace(text[index]) {
                if isLineFeed { lines += 1 }
                index += 1
            }
            guard index < end else { return isLast ? .failure(.malformed, offset: index) : .needsBytes }
            let byte = text[index]

            if mayClose, byte == (open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                index += 1
                open = stack.removeLast()
                if stack.isEmpty { return .value(end: index) }
            } else if expectsKey {
                guard byte == UInt8(ascii: "\"") else { return .failure(.malformed, offset: index) }
                if matching == .follows,
                    let match = order.match(matchedNodes.count, of: open.ordinal, text, at: index..<end)
                {
                    key = RecordField(.quoted, start: index + 1 + placement.toArena, length: match.length)
                    symbol = match.symbol
                    matchedNodes.append(nodes.count)
                    index += match.length + 2
                } else {
                    let string = string(text, at: index, to: end, isLast: isLast, placement: placement)
                    guard case .string(let field, let next) = string else { return string.outcome }
                    key = field
                    guard let found = register(key, of: open.ordinal, text, placement: placement, in: &nodes) else {
                        return .failure(.duplicateKey, offset: index)
                    }
                    symbol = found
                    index = next
                }
                while index < end, let isLineFeed = JSONParser.isSpace(text[index]) {
                    if isLineFeed { lines += 1 }
                    index += 1
                }
                guard index < end else { return isLast ? .failure(.malformed, offset: index) : .needsBytes }
                guard text[index] == UInt8(ascii: ":") else { return .failure(.malformed, offset: index) }
                index += 1
                expectsKey = false
                mayClose = false
                continue
            } else {
                guard nodes.count - firstNode < limits.values else { return .failure(.tooManyValues, offset: index) }
                var node = RecordNode(.scalar, symbol: symbol, name: key, isLeaf: true)
                symbol = -1
                key = .missing
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard stack.count < limits.depth else { return .failure(.tooDeep, offset: index) }
                    let isObject = byte == UInt8(ascii: "{")
                    node.kind = isObject ? .object : .array
                    node.isLeaf = false
                    JSONParser.append(node, to: &open, in: &nodes)
                    stack.append(open)
                    open = Container(node: nodes.count - 1, isObject: isObject, ordinal: objectCount)
                    if isObject { objectCount += 1 }
                    index += 1
                    expectsKey = isObject
                    mayClose = true
                    continue
                case UInt8(ascii: "\""):
                    let string = string(text, at: index, to: end, isLast: isLast, placement: placement)
                    guard case .string(let field, let next) = string else { return string.outcome }
                    node.value = field
                    index = next
                default:
                    let scalar = scalar(text, at: index, to: end, isLast: isLast, placement: placement)
                    guard case .string(let field, let next) = scalar else { return scalar.outcome }
                    node.value = field
                    index = next
                }
                JSONParser.append(node, to: &open, in: &nodes)
                if stack.isEmpty { return .value(end: index) }
            }

            // After a value inside a container, a comma or the end of the container must follow.
            while index < end, let isLineFeed = JSONParser.isSpace(text[index]) {
                if isLineFeed { lines += 1 }
                index += 1
            }
            guard index < end else { return isLast ? .failure(.malformed, offset: index) : .needsBytes }
            let isObject = open.isObject
            mayClose = text[index] != UInt8(ascii: ",")
            if mayClose {
                guard text[index] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return .failure(.malformed, offset: index)
                }
            } else {
                index += 1
                expectsKey = isObject
            }
        }
    }

    /// Returns nil if a byte is not white space, otherwise whether it is a line feed.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool? {
        switch byte {
        case 0x0A: true
        case 0x20, 0x09, 0x0D: false
        default: nil
        }
    }

    /// Appends a node as the last child of a container.
    @inline(__always)
    private static func append(_ node: RecordNode, to container: inout Container, in nodes: inout [RecordNode]) {
        let index = nodes.count
        nodes.append(node)
        if container.lastChild >= 0 {
            nodes[container.lastChild].nextSibling = Int32(truncatingIfNeeded: index)
        } else if container.node >= 0 {
            nodes[container.node].firstChild = Int32(truncatingIfNeeded: index)
        }
        container.lastChild = index
    }

    /// Continues without the order after a key that differs; the keys before it are added to the set.
    private mutating func leaveOrder() {
        let nodes = matchedNodes
        order.forEach(first: nodes.count) { place, object, range, bytes in
            _ = keys.insert(bytes.span, range, object: object, node: nodes[place])
        }
        order.truncate(to: nodes.count)
        matching = .learns
    }

    /// Returns the number of a key among the requested keys; -1 for other keys, -2 for a key that is ignored, nil for a
    /// repeated key that is not allowed.
    private mutating func register(
        _ key: RecordField, of object: Int, _ text: Span<UInt8>, placement: Placement, in nodes: inout [RecordNode]
    ) -> Int32? {
        if matching == .follows { leaveOrder() }
        let isUnescaped = key.start >= Placement.unescapedBase
        let earlier: Int?
        var number: Int32
        if isUnescaped {
            let start = key.start - Placement.unescapedBase
            let range = start..<start + key.length
            let bytes = unescaped
            number = names.find(bytes.span, range)
            earlier = keys.insert(bytes.span, range, object: object, node: nodes.count)
            matching = .ignores
        } else {
            let start = key.start - placement.toArena
            let range = start..<start + key.length
            number = names.find(text, range)
            earlier = keys.insert(text, range, object: object, node: nodes.count)
            if matching == .learns, earlier == nil,
                !order.append(text, range, object: object, symbol: number)
            {
                matching = .ignores
            }
        }
        guard let earlier else { return number }
        matching = .ignores
        switch duplicateKeys {
        case .reject: return nil
        case .keepFirst: number = -2
        case .keepLast: nodes[earlier].symbol = -2
        }
        return number
    }
}
