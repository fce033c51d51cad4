/// Finds the end of a JSON value piece by piece, whether it is well-formed or not, by its brackets and quotes alone.
struct JSONSkipping {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasBegun = false
    /// The number of line feeds that were skipped.
    private(set) var lines = 0

    /// Whether a bracket or a quote is open.
    var isOpen: Bool { depth > 0 || isInString }

    /// Continues in a piece of the text; returns the offset after the value, or nil if the value continues after the
    /// piece.
    mutating func advance(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let byte = text[index]
            if byte == 0x0A { lines += 1 }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return index + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""):
                    isInString = true
                    hasBegun = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    hasBegun = true
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return index }
                    depth -= 1
                    if depth == 0 { return index + 1 }
                case UInt8(ascii: ","):
                    if depth == 0 { return index }
                case 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0 && hasBegun {
                        if byte == 0x0A { lines -= 1 }
                        return index
                    }
                default:
                    hasBegun = true
                }
            }
            index += 1
        }
        return nil
    }
}
