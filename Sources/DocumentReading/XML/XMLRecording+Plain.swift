import CLibXML
import Glibc

/// Reads the plain part of a document without libxml2: each token is recorded in the same way as by libxml2's
/// callbacks.
extension XMLRecording {
    /// The result of reading a token.
    private enum Step {
        case done
        /// It is cut off at the end of the available bytes.
        case needsBytes
        /// It must be read by libxml2.
        case foreign
    }

    /// The bytes being read, while they do not move.
    @safe private struct Text {
        let bytes: UnsafePointer<UInt8>
        let end: Int
        let classes: UnsafePointer<UInt8>

        @inline(__always)
        func isIn(_ bits: UInt8, at index: Int) -> Bool { unsafe classes[Int(bytes[index])] & bits != 0 }

        /// Returns the meaning of an unexpected byte.
        @inline(__always)
        func unexpected(at index: Int) -> Step { index >= end ? .needsBytes : .foreign }
    }

    /// Character classes, one bit each.
    private static let nameBit: UInt8 = 1
    private static let nameStartBit: UInt8 = 2
    private static let valueBit: UInt8 = 4
    private static let textBit: UInt8 = 8
    private static let spaceBit: UInt8 = 16

    private static let classes: [UInt8] = (0...255).map { byte in
        let byte = UInt8(byte)
        let isLetter = byte == UInt8(ascii: "_") || 0x61...0x7A ~= byte | 0x20 && byte >= 0x41
        let isPlain = 0x20..<0x80 ~= byte && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
        var bits: UInt8 = 0
        if isLetter { bits |= nameStartBit }
        if isLetter || 0x30...0x3A ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") { bits |= nameBit }
        if isPlain, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'") { bits |= valueBit }
        if isPlain && byte != UInt8(ascii: "]") || byte == 0x09 { bits |= textBit }
        if byte == 0x20 || byte == 0x09 { bits |= spaceBit }
        return bits
    }

    /// The number of attributes above which an element is left to libxml2, since all pairs are compared here.
    private static let maximumPlainAttributeCount = 32

    /// libxml2 has its own limit at 256.
    private static let maximumPlainDepth = 250

    /// Records the events in the scanner's input, up to a token that is cut off.
    ///
    /// - Returns: false if libxml2 has to continue at the scanner's position.
    mutating func scan(_ scanner: inout XMLPlainScanner) -> Bool {
        let end = scanner.buffer.count
        scanner.buffer.append(contentsOf: repeatElement(0, count: XMLPlainScanner.padding))
        // Kept separately, so that the scanner can change meanwhile.
        var buffer: [UInt8] = []
        swap(&buffer, &scanner.buffer)
        let isPlain = unsafe buffer.withUnsafeBufferPointer { buffer in
            unsafe Self.classes.withUnsafeBufferPointer { classes in
                guard let bytes = buffer.baseAddress, let classes = classes.baseAddress else { return true }
                return unsafe scan(Text(bytes: bytes, end: end, classes: classes), &scanner)
            }
        }
        swap(&buffer, &scanner.buffer)
        scanner.buffer.removeLast(XMLPlainScanner.padding)
        return isPlain && !scanner.isOverfull
    }

    private mutating func scan(_ text: Text, _ scanner: inout XMLPlainScanner) -> Bool {
        while scanner.position < text.end {
            let step: Step
            let (line, lineStart) = (scanner.line, scanner.lineStart)
            let (attributeCount, byteCount) = (block.attributes.count, block.bytes.count)
            if unsafe text.bytes[scanner.position] != UInt8(ascii: "<") {
                step = scanText(text, &scanner)
            } else {
                step =
                    unsafe text.bytes[scanner.position + 1] == UInt8(ascii: "/")
                    ? scanEndTag(text, &scanner) : scanStartTag(text, &scanner)
                if step != .done {
                    (scanner.line, scanner.lineStart) = (line, lineStart)
                    block.attributes.removeLast(block.attributes.count - attributeCount)
                    block.bytes.removeLast(block.bytes.count - byteCount)
                }
            }
            switch step {
            case .done: continue
            case .needsBytes: return true
            case .foreign: return false
            }
        }
        return true
    }

    // MARK: Tags

    private mutating func scanStartTag(_ text: Text, _ scanner: inout XMLPlainScanner) -> Step {
        let start = scanner.position
        let column = Int32(truncatingIfNeeded: start - scanner.lineStart + 1)
        let line = scanner.line
        var index = start + 1
        let attributeStart = block.attributes.count
        guard text.isIn(Self.nameStartBit, at: index) else { return text.unexpected(at: index) }
        let nameStart = index
        while text.isIn(Self.nameBit, at: index) { index += 1 }
        if index >= text.end { return .needsBytes }
        let name = plainName(text, nameStart..<index, &scanner.elementNames, isAttribute: false)
        guard name >= 0, openElements.count < min(limits.maximumDepth, Self.maximumPlainDepth) else { return .foreign }
        var isEmpty = false
        while true {
            let isSpaced = unsafe text.bytes[index] <= 0x20
            if isSpaced { passSpace(text, &index, &scanner) }
            let byte = unsafe text.bytes[index]
            if byte == UInt8(ascii: ">") { break }
            if byte == UInt8(ascii: "/") {
                guard unsafe text.bytes[index + 1] == UInt8(ascii: ">") else { return text.unexpected(at: index + 1) }
                isEmpty = true
                index += 1
                break
            }
            guard text.isIn(Self.nameStartBit, at: index), isSpaced else { return text.unexpected(at: index) }
            let step = scanAttribute(text, &index, from: attributeStart, &scanner)
            guard step == .done else { return step }
        }
        index += 1
        scanner.position = index
        block.events.append(
            XMLEventRecord(
                event: .startElement, isEmptyElement: isEmpty, nameIndex: name, line: line, column: column,
                offset: scanner.bufferOffset + start, start: attributeStart,
                count: block.attributes.count - attributeStart))
        if isEmpty {
            block.events.append(
                XMLEventRecord(
                    event: .endElement, nameIndex: name, line: line, column: column,
                    offset: scanner.bufferOffset + index, start: 0, count: 0))
        } else {
            openElements.append((name, line, openElements.last?.namespaceCount ?? 0))
        }
        return .done
    }

    /// Reads an attribute whose name begins at an index.
    private mutating func scanAttribute(
        _ text: Text, _ index: inout Int, from attributeStart: Int, _ scanner: inout XMLPlainScanner
    ) -> Step {
        let nameStart = index
        while text.isIn(Self.nameBit, at: index) { index += 1 }
        guard unsafe text.bytes[index] == UInt8(ascii: "=") else { return text.unexpected(at: index) }
        let name = plainName(text, nameStart..<index, &scanner.attributeNames, isAttribute: true)
        guard name >= 0 else { return .foreign }
        let count = block.attributes.count - attributeStart
        guard count < min(limits.maximumAttributeCount, Self.maximumPlainAttributeCount) else { return .foreign }
        for place in attributeStart..<attributeStart + count where block.attributes[place].nameIndex == name {
            return .foreign
        }
        index += 1
        let quote = unsafe text.bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return text.unexpected(at: index) }
        index += 1
        let start = block.bytes.count
        var runStart = index
        while true {
            while text.isIn(Self.valueBit, at: index) { index += 1 }
            let byte = unsafe text.bytes[index]
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): index += 1
            case UInt8(ascii: "&"):
                append(text, runStart..<index)
                let step = appendEntity(text, &index)
                guard step == .done else { return step }
                runStart = index
            case 0x80...:
                let step = passCharacter(text, &index, &scanner)
                guard step == .done else { return step }
            default: return text.unexpected(at: index)
            }
        }
        append(text, runStart..<index)
        index += 1
        block.attributes.append(XMLAttributeRecord(nameIndex: name, start: start, count: block.bytes.count - start))
        return .done
    }

    private mutating func scanEndTag(_ text: Text, _ scanner: inout XMLPlainScanner) -> Step {
        let start = scanner.position
        let column = Int32(truncatingIfNeeded: start - scanner.lineStart + 1)
        let line = scanner.line
        var index = start + 2
        // The root's end tag, and everything after it, are read by libxml2.
        guard let open = openElements.last, openElements.count > 1 else { return .foreign }
        guard text.isIn(Self.nameStartBit, at: index) else { return text.unexpected(at: index) }
        while text.isIn(Self.nameBit, at: index) { index += 1 }
        if index >= text.end { return .needsBytes }
        let name = plainName(text, start + 2..<index, &scanner.elementNames, isAttribute: false)
        guard name == open.nameIndex else { return .foreign }
        passSpace(text, &index, &scanner)
        guard unsafe text.bytes[index] == UInt8(ascii: ">") else { return text.unexpected(at: index) }
        index += 1
        scanner.position = index
        openElements.removeLast()
        block.events.append(
            XMLEventRecord(
                event: .endElement, nameIndex: name, line: line, column: column,
                offset: scanner.bufferOffset + index, start: 0, count: 0))
        return .done
    }

    /// Skips spaces, tabs and newlines inside a tag.
    @inline(__always)
    private func passSpace(_ text: Text, _ index: inout Int, _ scanner: inout XMLPlainScanner) {
        while true {
            if text.isIn(Self.spaceBit, at: index) {
                index += 1
            } else if unsafe text.bytes[index] == 0x0A {
                index += 1
                scanner.line += 1
                scanner.lineStart = index
            } else {
                return
            }
        }
    }

    /// Returns the index of a name; negative if libxml2 has to resolve it.
    @inline(__always)
    private mutating func plainName(
        _ text: Text, _ range: Range<Int>, _ known: inout XMLPlainNames, isAttribute: Bool
    ) -> Int32 {
        let name = unsafe text.bytes + range.lowerBound
        let index = unsafe known.index(of: name, range.count)
        if index >= 0 { return index }
        let new = unsafe newPlainName(UnsafeBufferPointer(start: name, count: range.count), isAttribute: isAttribute)
        if new >= 0 { unsafe known.add(name, range.count, index: new) }
        return new
    }

    /// Returns the index of a name by the namespaces that the root declares; negative if libxml2 has to resolve it.
    private mutating func newPlainName(_ name: UnsafeBufferPointer<UInt8>, isAttribute: Bool) -> Int32 {
        guard name.count < Self.maximumPlainNameLength, let dictionary = unsafe handle?.pointee.dict,
            let start = name.baseAddress
        else { return -1 }
        var prefix: UnsafePointer<xmlChar>?
        var localStart = 0
        if let colon = unsafe name.firstIndex(of: UInt8(ascii: ":")) {
            localStart = colon + 1
            // Names with a predefined meaning in XML and its namespaces are checked by libxml2.
            guard localStart < name.count, unsafe !name[localStart...].contains(UInt8(ascii: ":")),
                unsafe Self.classes[Int(name[localStart])] & Self.nameStartBit != 0,
                unsafe !name.starts(with: "xml".utf8)
            else { return -1 }
            unsafe prefix = xmlDictLookup(dictionary, start, Int32(colon))
            if unsafe prefix == nil { return -1 }
        } else if isAttribute, unsafe name.elementsEqual("xmlns".utf8) {
            return -1
        }
        guard let local = unsafe xmlDictLookup(dictionary, start + localStart, Int32(name.count - localStart)) else {
            return -1
        }
        if unsafe prefix == nil && isAttribute { return unsafe nameIndex(local, nil, nil) }
        let key = UInt(bitPattern: prefix)
        let namespace = rootNamespaces.first { $0.prefix == key }
        if unsafe namespace == nil && prefix != nil { return -1 }
        var uri = unsafe UnsafePointer<xmlChar>(bitPattern: namespace?.uri ?? 0)
        // `xmlns=""` means no namespace.
        if unsafe uri?.pointee == 0 { unsafe uri = nil }
        return unsafe nameIndex(local, prefix, uri)
    }

    /// The length in bytes above which a name is left to libxml2.
    private static let maximumPlainNameLength = 1000

    // MARK: Texts

    /// The length in bytes below which a text that is cut off waits for its end, as in libxml2, so that errors at the
    /// end of a document have the same location.
    private static let heldTextLength = 300

    /// Reads the text at the scanner's position, up to a tag or the end of the input.
    private mutating func scanText(_ text: Text, _ scanner: inout XMLPlainScanner) -> Step {
        let start = scanner.position
        var index = start
        var place = XMLTagPlace(
            line: scanner.line, column: Int32(truncatingIfNeeded: start - scanner.lineStart + 1))
        // The beginning of the part that has not been appended yet.
        var runStart = start
        var run = (line: scanner.line, lineStart: scanner.lineStart)
        // As in libxml2's report of a text: its column is known unless its first piece has several lines.
        var isFirstPiece = true
        func endFirstPiece(_ line: Int32) {
            if isFirstPiece, line != place.line { place.column = 0 }
            isFirstPiece = false
        }
        passSpace(text, &index, &scanner)
        let isBlank = unsafe text.bytes[index] == UInt8(ascii: "<")
        while true {
            while text.isIn(Self.textBit, at: index) { index += 1 }
            let byte = unsafe text.bytes[index]
            var step = Step.done
            switch byte {
            case 0x0A:
                index += 1
                scanner.line += 1
                scanner.lineStart = index
                continue
            case UInt8(ascii: "<"), UInt8(ascii: "&"): break
            case UInt8(ascii: "]"):
                let isClosing = unsafe text.bytes[index + 1] == byte && text.bytes[index + 2] == UInt8(ascii: ">")
                if !isClosing, index + 2 < text.end {
                    index += 1
                    continue
                }
                step = text.unexpected(at: index + 2)
            case 0x80...:
                if index > start { endFirstPiece(scanner.line) }
                step = passCharacter(text, &index, &scanner)
                if step == .done { continue }
            default: step = text.unexpected(at: index)
            }
            endFirstPiece(scanner.line)
            if step == .needsBytes, index - runStart < Self.heldTextLength {
                (scanner.line, scanner.lineStart) = run
                return step
            }
            if runStart < index {
                guard append(text, runStart..<index, place, isBlank: isBlank) else {
                    (scanner.line, scanner.lineStart) = run
                    return .foreign
                }
                scanner.position = index
            }
            if byte == UInt8(ascii: "<") { return .done }
            guard byte == UInt8(ascii: "&") else { return step }
            let entity = Self.entity(text, at: index)
            guard entity.length > 0 else { return text.unexpected(at: index + Self.maximumEntityLength - 1) }
            guard append(text, index..<index + 1, place, isBlank: false) else { return .foreign }
            block.bytes[block.bytes.count - 1] = entity.byte
            index += entity.length
            runStart = index
            run = (scanner.line, scanner.lineStart)
            scanner.position = index
        }
    }

    /// Appends a part of a text to the current text, or to a new one; returns false if it would be too long.
    @inline(__always)
    private mutating func append(_ text: Text, _ range: Range<Int>, _ place: XMLTagPlace, isBlank: Bool) -> Bool {
        let last = block.events.count - 1
        if last >= 0, block.events[last].event == .text {
            guard range.count <= limits.maximumTextLength - block.events[last].count else { return false }
            block.events[last].count += range.count
            block.events[last].isBlank = false
        } else {
            guard range.count <= limits.maximumTextLength else { return false }
            block.events.append(
                XMLEventRecord(
                    event: .text, isBlank: isBlank, nameIndex: 0, line: place.line, column: place.column,
                    start: block.bytes.count, count: range.count))
        }
        append(text, range)
        return true
    }

    @inline(__always)
    private mutating func append(_ text: Text, _ range: Range<Int>) {
        unsafe block.bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.bytes + range.lowerBound, count: range.count))
    }

    // MARK: Characters

    private static let maximumEntityLength = 6

    /// Appends the character of a predefined entity, and skips the reference.
    private mutating func appendEntity(_ text: Text, _ index: inout Int) -> Step {
        let entity = Self.entity(text, at: index)
        guard entity.length > 0 else { return text.unexpected(at: index + Self.maximumEntityLength - 1) }
        block.bytes.append(entity.byte)
        index += entity.length
        return .done
    }

    /// Returns the character of a predefined entity, and the length of the reference; 0 for any other.
    private static func entity(_ text: Text, at index: Int) -> (byte: UInt8, length: Int) {
        func matches(_ name: StaticString) -> Bool {
            unsafe memcmp(text.bytes + index + 1, name.utf8Start, name.utf8CodeUnitCount) == 0
        }
        switch unsafe text.bytes[index + 1] {
        case UInt8(ascii: "a"):
            if matches("amp;") { return (UInt8(ascii: "&"), 5) }
            return matches("apos;") ? (UInt8(ascii: "'"), 6) : (0, 0)
        case UInt8(ascii: "l"): return matches("lt;") ? (UInt8(ascii: "<"), 4) : (0, 0)
        case UInt8(ascii: "g"): return matches("gt;") ? (UInt8(ascii: ">"), 4) : (0, 0)
        case UInt8(ascii: "q"): return matches("quot;") ? (UInt8(ascii: "\""), 6) : (0, 0)
        default: return (0, 0)
        }
    }

    /// Skips a character that is not ASCII.
    private func passCharacter(_ text: Text, _ index: inout Int, _ scanner: inout XMLPlainScanner) -> Step {
        let lead = unsafe text.bytes[index]
        let (length, smallest): (Int, UInt32) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x1_0000)
            default: (0, 0)
            }
        guard length > 0 else { return .foreign }
        guard index + length <= text.end else { return .needsBytes }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for place in index + 1..<index + length {
            let byte = unsafe text.bytes[place]
            guard byte & 0xC0 == 0x80 else { return .foreign }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        // Surrogates and the last two code points of the first plane are not allowed in XML.
        guard scalar >= smallest, scalar <= 0x10_FFFF, !(0xD800...0xDFFF ~= scalar), scalar != 0xFFFE, scalar != 0xFFFF
        else { return .foreign }
        index += length
        scanner.lineStart += length - 1
        return .done
    }
}
