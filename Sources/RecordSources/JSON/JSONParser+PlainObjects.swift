/// Objects whose values are scalars, and whose keys are known in order, like most records of most sources.
extension JSONParser {
    /// The largest number of consecutive keys of the record before that may be left out.
    private static let largestGap = 16
    /// After an object that has containers, the number of values for which this way is not tried.
    private static let pause = 64

    /// Parses an object whose keys are some of those of the record before, in the same order, and whose values are
    /// scalars.
    ///
    /// No key is hashed, and no key can be repeated, because each one is searched after the one before.
    /// - Returns: the offset after the object; nil without any nodes for everything else, whether valid or not.
    mutating func plainObject(
        _ text: Span<UInt8>, from start: Int, to end: Int, isLast: Bool, placement: Placement,
        into nodes: inout [RecordNode]
    ) -> Int? {
        let keyCount = order.plainCount
        guard keyCount > 0, keyCount < limits.values, limits.depth > 0, start < end,
            text[start] == UInt8(ascii: "{")
        else { return nil }
        guard plainPause == 0 else {
            plainPause -= 1
            return nil
        }
        if !unescaped.isEmpty { unescaped.removeAll(keepingCapacity: true) }
        lines = 0
        let first = nodes.count
        nodes.append(contentsOf: repeatElement(RecordNode(.scalar, isLeaf: true), count: keyCount + 1))
        let found = members(
            text, from: start + 1, to: end, isLast: isLast, placement: placement, into: &nodes, at: first)
        let count = found.map { $0.count + 1 } ?? 0
        if count <= keyCount { nodes.removeLast(keyCount + 1 - count) }
        return found?.end
    }

    /// Parses the text after the opening brace of an object into the nodes from a place on: the object's node, then
    /// those of its members.
    ///
    /// - Returns: the offset after the object, and the number of its members; nil if the object is not plain.
    @inline(__always)
    private mutating func members(
        _ text: Span<UInt8>, from start: Int, to end: Int, isLast: Bool, placement: Placement,
        into nodes: inout [RecordNode], at first: Int
    ) -> (end: Int, count: Int)? {
        var nodes = nodes.mutableSpan
        var index = start
        var (count, place) = (0, 0)
        var lines = 0
        /// Returns the next byte that is not a space; nil at the end.
        func next() -> UInt8? {
            while index < end {
                let byte = text[index]
                guard byte <= 0x20, let isLineFeed = JSONParser.isSpace(byte) else { return byte }
                if isLineFeed { lines += 1 }
                index += 1
            }
            return nil
        }
        guard var byte = next() else { return nil }
        while byte != UInt8(ascii: "}") {
            guard byte == UInt8(ascii: "\"") else { return nil }
            var match = order.match(place, of: 0, text, at: index..<end)
            var gap = 0
            while match == nil {
                (place, gap) = (place + 1, gap + 1)
                guard place < order.plainCount, gap <= Self.largestGap else { return nil }
                match = order.match(place, of: 0, text, at: index..<end)
            }
            guard let match else { return nil }
            place += 1
            let name = RecordField(.quoted, start: index + 1 + placement.toArena, length: match.length)
            index += match.length + 2
            guard next() == UInt8(ascii: ":") else { return nil }
            index += 1
            guard let begin = next() else { return nil }
            let scalar: Scalar
            switch begin {
            case UInt8(ascii: "\""):
                scalar = string(text, at: index, to: end, isLast: isLast, placement: placement)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                plainPause = Self.pause
                return nil
            default:
                scalar = self.scalar(text, at: index, to: end, isLast: isLast, placement: placement)
            }
            guard case .string(let value, let behind) = scalar else { return nil }
            count += 1
            nodes[first + count] = RecordNode(.scalar, symbol: match.symbol, name: name, value: value, isLeaf: true)
            nodes[first + count].nextSibling = Int32(truncatingIfNeeded: first + count + 1)
            index = behind
            guard let separator = next() else { return nil }
            if separator == UInt8(ascii: ",") {
                index += 1
                // A comma must be followed by a key.
                guard let another = next(), another != UInt8(ascii: "}") else { return nil }
                byte = another
            } else {
                guard separator == UInt8(ascii: "}") else { return nil }
                byte = separator
            }
        }
        nodes[first].kind = .object
        nodes[first].isLeaf = false
        if count > 0 {
            nodes[first].firstChild = Int32(truncatingIfNeeded: first + 1)
            nodes[first + count].nextSibling = -1
        }
        self.lines = lines
        return (index + 1, count)
    }
}
