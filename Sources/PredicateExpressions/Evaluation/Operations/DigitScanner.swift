/// Reads numbers of a fixed width, and the signs between them.
struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes a sign if it is next; returns whether it was.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == sign.value else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func digit() -> Int? {
        guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        rest.removeFirst()
        return Int(first - UInt8(ascii: "0"))
    }

    mutating func number(_ digitCount: Int) -> Int? {
        var number = 0
        for _ in 0..<digitCount {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads one to nine digits after a decimal point.
    mutating func fraction() -> Double? {
        var number = 0
        var divisor = 1
        while divisor < 1_000_000_000, let digit = digit() {
            number = number * 10 + digit
            divisor *= 10
        }
        return divisor == 1 ? nil : Double(number) / Double(divisor)
    }
}
