/// Appending numbers as decimal digits, without an intermediate `String`.
extension [UInt8] {
    /// Appends a number in decimal, with a minus sign if it is negative.
    public mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(digits: value.magnitude)
    }

    /// Appends an unsigned number in decimal.
    /// - Parameters:
    ///   - value: the number.
    ///   - count: the minimum number of digits, filled with leading zeros.
    public mutating func append(digits value: UInt64, atLeast count: Int = 1) {
        let count = Swift.max(count, DigitCount.of(value))
        append(atMost: count) { text in
            text.store(digits: value, count: count)
            return count
        }
    }

    /// Appends an unsigned number in decimal, with a decimal point before its last digits and at least one digit before
    /// the point.
    /// - Parameters:
    ///   - value: the number without its decimal point.
    ///   - places: the number of digits after the decimal point, from 1 to 20.
    public mutating func append(digits value: UInt64, places: Int) {
        let count = Swift.max(places + 1, DigitCount.of(value))
        append(atMost: count + 1) { text in
            (text + 1).store(digits: value, count: count)
            let point = count - places
            for index in 0..<point { text[index] = text[index + 1] }
            text[point] = UInt8(ascii: ".")
            return count + 1
        }
    }

    /// Appends bytes that a closure stores, without looking for each whether there is room.
    /// - Parameters:
    ///   - count: the most bytes that it may store.
    ///   - store: returns how many it has stored.
    @inline(__always)
    mutating func append(atMost count: Int, _ store: (UnsafeMutablePointer<UInt8>) -> Int) {
        append(addingCapacity: count) { text in
            text.withUnsafeMutableBufferPointer { buffer, stored in
                if let base = buffer.baseAddress { stored += store(base + stored) }
            }
        }
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Stores so many last digits of a number; zeros come before if it has fewer.
    func store(digits value: UInt64, count: Int) {
        var rest = value
        var place = count
        while place >= 2 {
            place -= 2
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            (self + place).store(pair: Int(truncatingIfNeeded: pair))
            rest = quotient
        }
        if place == 1 { self[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
    }

    /// Stores the two digits of a number below 100.
    @inline(__always)
    func store(pair value: Int) {
        let pair = UInt16(truncatingIfNeeded: value)
        self[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair / 10)
        self[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair % 10)
    }
}

enum DigitCount {
    /// By digits: the lowest number that has one more.
    private static let bounds: [UInt64] = [
        0, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// How many digits a number has; 0 has one.
    static func of(_ value: UInt64) -> Int {
        // 1233 / 4096 is a little more than the logarithm of 2: it is the number of digits, or one less.
        let count = ((64 - (value | 1).leadingZeroBitCount) * 1233) >> 12
        return value >= bounds[count] ? count + 1 : count
    }
}
