import CLibYAML

/// Owns libyaml's parser over bytes that outlive it.
@safe struct YAMLEventParser: ~Copyable {
    /// An error of libyaml, with its message, and line and column counted from 1.
    struct Problem: Error {
        let code: DocumentError.Code
        let detail: String
        let line: Int
        let column: Int
    }

    /// On the heap, because libyaml keeps addresses of the structure's own fields.
    private let handle: UnsafeMutablePointer<yaml_parser_t>
    private let isReady: Bool
    private let bytes: UnsafeBufferPointer<UInt8>

    /// The bytes must outlive the parser.
    @unsafe init(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes = bytes
        unsafe handle = .allocate(capacity: 1)
        isReady = unsafe yaml_parser_initialize(handle) != 0
        if isReady {
            unsafe yaml_parser_set_input_string(handle, bytes.baseAddress, bytes.count)
            // Locations are computed for UTF-8; the other encodings of YAML do not occur in practice.
            unsafe yaml_parser_set_encoding(handle, YAML_UTF8_ENCODING)
        }
    }

    deinit {
        if isReady { unsafe yaml_parser_delete(handle) }
        unsafe handle.deallocate()
    }

    /// Returns the next event with the line and the column of its beginning, counted from 1.
    mutating func next() throws(Problem) -> (event: YAMLEvent, line: Int, column: Int) {
        guard isReady else {
            throw Problem(code: .tooLarge, detail: "there is no memory for a parser", line: 1, column: 1)
        }
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(handle, &event) != 0 else { throw problem }
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe event.start_mark
        return unsafe (Self.event(event), mark.line + 1, mark.column + 1)
    }

    private static func event(_ event: borrowing yaml_event_t) -> YAMLEvent {
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(
                String(decoding: value, as: UTF8.self), style: style(scalar.style), anchor: text(scalar.anchor),
                tag: text(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe .sequenceStart(anchor: text(start.anchor), tag: text(start.tag))
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe .mappingStart(anchor: text(start.anchor), tag: text(start.tag))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        default: return .other
        }
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe characters.map { unsafe String(cString: $0) }
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalarStyle {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    /// Returns whether there is a tab at a position, counted from 0, or before it in the white space at the beginning
    /// of the line.
    private func isTab(line: Int, column: Int) -> Bool {
        let lines = unsafe bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard unsafe lines.indices.contains(line) else { return false }
        let text = unsafe Array(lines[line])
        let tab = UInt8(ascii: "\t")
        return column < text.count && text[column] == tab
            || text.prefix { $0 == UInt8(ascii: " ") || $0 == tab }.contains(tab)
    }

    private var problem: Problem {
        let parser = unsafe handle.pointee
        var detail = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "error \(parser.error.rawValue)"
        if let context = unsafe parser.context {
            // "while parsing a flow sequence from line 3": the beginning of the unfinished node helps most.
            detail += unsafe " (\(String(cString: context)) from line \(parser.context_mark.line + 1))"
        }
        switch unsafe parser.error {
        case YAML_READER_ERROR:
            // Reader errors have a byte offset instead of a mark.
            let before = unsafe bytes.prefix(parser.problem_offset)
            let line = unsafe before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
            let column = unsafe before.reversed().prefix { $0 != UInt8(ascii: "\n") }
                .reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
            let isForbidden = detail.hasPrefix("control characters")
            return Problem(code: isForbidden ? .malformed : .encoding, detail: detail, line: line, column: column)
        case YAML_MEMORY_ERROR:
            return Problem(code: .tooLarge, detail: "there is no memory to continue", line: 1, column: 1)
        default:
            let mark = unsafe parser.problem_mark
            if isTab(line: mark.line, column: mark.column) {
                detail = "YAML forbids tabs in the space before a line's first word; use spaces"
            }
            return Problem(code: .malformed, detail: detail, line: mark.line + 1, column: mark.column + 1)
        }
    }
}
