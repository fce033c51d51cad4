import DocumentReading
internal import SQLiteAccess
import TextEncodings

/// Creates the nodes of an element.
struct XMLTreeBuilder {
    /// An element that is not closed yet.
    private struct Open {
        var node: Int
        var lastChild = -1
        /// The offset in the arena of the first piece of its text, and the length of the whole text.
        var textStart = 0
        var textCount = 0
        /// The number of pieces of its text, if child elements divide it; 0 for no piece or one.
        var pieceCount = 0
        var isNull = false
    }

    private var stack: [Open] = []
    /// The pieces of texts that have several; those of the innermost element are last.
    private var pieces: [ArenaRange] = []
    /// For each of the reader's indexes, the place of the name in the batch; nil if the batch does not have it yet.
    private var elementNames: [RecordField?] = []
    private var attributeNames: [RecordField?] = []
    /// For each of the reader's indexes, whether an attribute of that name marks its element as nil.
    private var nullNames: [Bool] = []

    /// Forgets the places of names, because another batch begins.
    mutating func beginBatch() {
        elementNames.removeAll(keepingCapacity: true)
        attributeNames.removeAll(keepingCapacity: true)
    }

    /// Reads the current element, from its start tag to its end tag; returns a problem if it has too many parts.
    mutating func build(
        _ reader: inout XMLEventStream, _ naming: inout XMLNaming, limits: RecordLimits, line: Int,
        into batch: inout RecordBatch
    ) throws -> RecordProblem? {
        stack.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        let firstNode = batch.nodes.count
        let arenaStart = batch.arena.count
        let depth = reader.depth
        open(reader, &naming, into: &batch)
        while !stack.isEmpty {
            guard let event = try reader.next() else { return nil }
            switch event {
            case .startElement: open(reader, &naming, into: &batch)
            case .endElement: close(&batch)
            case .text: appendText(reader, &batch)
            }
            let isTooLarge = batch.arena.count - arenaStart > limits.bytes
            guard batch.nodes.count - firstNode <= limits.values, !isTooLarge else {
                let problem = RecordProblem(
                    isTooLarge ? .tooLarge : .tooManyValues, line: isTooLarge ? line : reader.line)
                batch.nodes.removeLast(batch.nodes.count - firstNode)
                // Names may be in the part of the arena that is removed.
                beginBatch()
                batch.truncateArena(to: arenaStart)
                while reader.depth >= depth { guard try reader.next() != nil else { break } }
                return problem
            }
        }
        return nil
    }

    private mutating func open(_ reader: XMLEventStream, _ naming: inout XMLNaming, into batch: inout RecordBatch) {
        let name = reader.nameIndex
        let node = batch.nodes.count
        let place = elementName(name, reader, &naming, &batch)
        batch.nodes.append(RecordNode(.object, symbol: naming.element(name, reader), name: place, isLeaf: true))
        link(node, &batch)
        var open = Open(node: node)
        for attribute in 0..<reader.attributeCount {
            appendAttribute(attribute, reader, &naming, of: &open, &batch)
        }
        stack.append(open)
    }

    private mutating func appendAttribute(
        _ attribute: Int, _ reader: XMLEventStream, _ naming: inout XMLNaming, of open: inout Open,
        _ batch: inout RecordBatch
    ) {
        let index = reader.attributeNameIndex(at: attribute)
        let start = batch.arena.count
        reader.withAttributeValue(at: attribute) { batch.arena.append(copying: $0) }
        let value = RecordField(.text, start: start, length: batch.arena.count - start)
        if isNull(index, value, reader, batch) { open.isNull = true }
        let name = attributeName(index, reader, &naming, &batch)
        let node = batch.nodes.count
        batch.nodes.append(
            RecordNode(.attribute, symbol: naming.attribute(index, reader), name: name, value: value, isLeaf: true))
        if open.lastChild < 0 {
            batch.nodes[open.node].firstChild = Int32(truncatingIfNeeded: node)
        } else {
            batch.nodes[open.lastChild].nextSibling = Int32(truncatingIfNeeded: node)
        }
        open.lastChild = node
    }

    /// Returns whether an attribute marks its element as nil: `xsi:nil="true"`.
    private mutating func isNull(
        _ index: Int, _ value: RecordField, _ reader: XMLEventStream, _ batch: RecordBatch
    ) -> Bool {
        while nullNames.count <= index {
            let name = reader.name(at: nullNames.count)
            nullNames.append(
                name.localName == "nil" && name.namespaceURI == "http://www.w3.org/2001/XMLSchema-instance")
        }
        guard nullNames[index] else { return false }
        let text = batch.text(of: value)
        return text == "true" || text == "1"
    }

    private mutating func elementName(
        _ index: Int, _ reader: XMLEventStream, _ naming: inout XMLNaming, _ batch: inout RecordBatch
    ) -> RecordField {
        while elementNames.count <= index { elementNames.append(nil) }
        if let known = elementNames[index] { return known }
        let bytes = naming.qualifiedName(index, reader)
        let field = RecordField(.text, start: batch.appendValue(bytes), length: bytes.count)
        elementNames[index] = field
        return field
    }

    private mutating func attributeName(
        _ index: Int, _ reader: XMLEventStream, _ naming: inout XMLNaming, _ batch: inout RecordBatch
    ) -> RecordField {
        while attributeNames.count <= index { attributeNames.append(nil) }
        if let known = attributeNames[index] { return known }
        let bytes = Array("@".utf8) + naming.qualifiedName(index, reader)
        let field = RecordField(.text, start: batch.appendValue(bytes), length: bytes.count)
        attributeNames[index] = field
        return field
    }

    /// Makes an element the last child of the innermost open one, which then is not a leaf.
    private mutating func link(_ node: Int, _ batch: inout RecordBatch) {
        guard let last = stack.indices.last else { return }
        let (parent, sibling) = (stack[last].node, stack[last].lastChild)
        batch.nodes[parent].isLeaf = false
        if sibling < 0 {
            batch.nodes[parent].firstChild = Int32(truncatingIfNeeded: node)
        } else {
            batch.nodes[sibling].nextSibling = Int32(truncatingIfNeeded: node)
        }
        stack[last].lastChild = node
    }

    private mutating func appendText(_ reader: XMLEventStream, _ batch: inout RecordBatch) {
        guard let last = stack.indices.last else { return }
        let start = batch.arena.count
        reader.withText { batch.arena.append(copying: $0) }
        let count = batch.arena.count - start
        if stack[last].textCount > 0 {
            if stack[last].pieceCount == 0 {
                pieces.append(ArenaRange(start: stack[last].textStart, count: stack[last].textCount))
                stack[last].pieceCount = 1
            }
            pieces.append(ArenaRange(start: start, count: count))
            stack[last].pieceCount += 1
        } else {
            stack[last].textStart = start
        }
        stack[last].textCount += count
    }

    /// Sets the text of an element when it ends: the whole text if it has nothing else, and no text if it is only white
    /// space between child elements.
    private mutating func close(_ batch: inout RecordBatch) {
        guard let closed = stack.popLast() else { return }
        var start = closed.textStart
        if closed.pieceCount > 0 {
            start = batch.arena.count
            for piece in pieces.suffix(closed.pieceCount) {
                batch.arena.append(contentsOf: Array(batch.arena[piece.range]))
            }
            pieces.removeLast(closed.pieceCount)
        }
        var value = RecordField(.text, start: start, length: closed.textCount)
        if closed.isNull {
            value = .null
        } else if !batch.nodes[closed.node].isLeaf {
            let isBlank = batch.arena[value.range].allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
            if isBlank { value = .missing }
        }
        batch.nodes[closed.node].value = value
    }
}
