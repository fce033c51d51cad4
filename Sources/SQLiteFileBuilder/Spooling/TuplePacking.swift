/// The way in which tuples of numbers are packed into words: each number as its difference from the lowest one in its
/// place, with only as many bits as the largest difference needs.
///
/// The first numbers are in the high bits of the first word, so that packed tuples have the same order as the tuples.
/// Numbers are not divided among words.
struct TuplePacking {
    struct Number {
        var low: Int64
        var high: Int64
        /// The word that contains the number, and the position of its lowest bit.
        var word = 0
        var shift: UInt64 = 0
        var mask: UInt64 = 0
    }

    private(set) var numbers: [Number]
    /// The number of words of a packed tuple.
    private(set) var wordCount = 1

    /// A packing that leaves tuples as they are; their order is not kept.
    init(width: Int) {
        numbers = (0..<width).map { Number(low: 0, high: -1, word: $0, mask: .max) }
        wordCount = width
    }

    /// The packing of tuples that are stored one after the other.
    init(of words: Span<UInt64>, width: Int) {
        numbers = (0..<width).map { index in
            let first = Int64(bitPattern: words[index])
            return Number(low: first, high: first)
        }
        var all = numbers.mutableSpan
        for start in stride(from: width, to: words.count, by: width) {
            for index in 0..<width {
                let number = Int64(bitPattern: words[start + index])
                if number < all[index].low { all[index].low = number }
                if number > all[index].high { all[index].high = number }
            }
        }
        place()
    }

    /// A packing for the tuples of two packings.
    func union(_ other: TuplePacking) -> TuplePacking {
        var result = self
        for (index, number) in other.numbers.enumerated() {
            result.numbers[index].low = min(number.low, numbers[index].low)
            result.numbers[index].high = max(number.high, numbers[index].high)
        }
        result.place()
        return result
    }

    /// Returns whether the packing has room for the tuples of another one.
    func includes(_ other: TuplePacking) -> Bool {
        zip(numbers, other.numbers).allSatisfy { $0.low <= $1.low && $0.high >= $1.high }
    }

    /// Returns a packing for the tuples of two packings, and for all others that fit into as many bits. Numbers that
    /// grow therefore need another packing once for each bit.
    func extended(by other: TuplePacking) -> TuplePacking {
        var result = union(other)
        for index in numbers.indices {
            let number = result.numbers[index]
            let (low, largest) = (number.low, UInt64(bitPattern: number.high &- number.low))
            let room = largest == 0 ? 0 : UInt64.max >> UInt64(largest.leadingZeroBitCount)
            let above = UInt64(bitPattern: .max &- low)
            result.numbers[index].high = room < above ? low &+ Int64(bitPattern: room) : .max
            if room > above { result.numbers[index].low = .max &- Int64(bitPattern: room) }
        }
        result.place()
        return result
    }

    /// Assigns bits to the numbers.
    private mutating func place() {
        var (word, free) = (0, UInt64.bitWidth)
        for index in numbers.indices {
            let largest = UInt64(bitPattern: numbers[index].high &- numbers[index].low)
            let bits = UInt64.bitWidth - largest.leadingZeroBitCount
            if bits > free { (word, free) = (word + 1, UInt64.bitWidth) }
            free -= bits
            numbers[index].word = word
            numbers[index].shift = UInt64(free)
            numbers[index].mask = bits == 0 ? 0 : .max >> UInt64(UInt64.bitWidth - bits)
        }
        wordCount = word + 1
    }

    /// Packs the tuple that begins at one place of a list, and stores its words at another place, which must not come
    /// after it.
    @inline(__always)
    func pack(_ words: inout MutableSpan<UInt64>, from source: Int, to destination: Int) {
        let numbers = numbers.span
        var (word, packed) = (0, UInt64(0))
        for index in numbers.indices {
            let number = numbers[index]
            if number.word != word {
                // The numbers before this one, whose memory this takes, have been read.
                words[destination + word] = packed
                (word, packed) = (number.word, 0)
            }
            // A number without bits may have any shift.
            packed |= (words[source + index] &- UInt64(bitPattern: number.low)) &<< number.shift
        }
        words[destination + word] = packed
    }

    /// Replaces the numbers of a list with packed tuples.
    func unpack(_ words: Span<UInt64>, to list: inout [Int64]) {
        let (count, width) = (words.count / wordCount, numbers.count)
        if list.count != count * width { list = [Int64](repeating: 0, count: count * width) }
        var results = list.mutableSpan
        for (index, number) in numbers.enumerated() {
            var (place, result) = (number.word, index)
            for _ in 0..<count {
                results[result] = number.low &+ Int64(bitPattern: words[place] &>> number.shift & number.mask)
                place += wordCount
                result += width
            }
        }
    }
}
