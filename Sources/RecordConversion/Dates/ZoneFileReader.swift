/// Reads the parts of a time zone file in order; all numbers are big-endian.
struct ZoneFileReader {
    /// The counts at the beginning of each of the file's two blocks.
    struct Header {
        let version: Int
        let universalFlags: Int
        let standardFlags: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let letters: Int

        /// Returns the number of bytes of a block whose times have 4 or 8 bytes.
        func size(ofTime width: Int) -> Int {
            times * (width + 1) + types * 6 + sizeAfterTypes(ofTime: width)
        }

        func sizeAfterTypes(ofTime width: Int) -> Int {
            letters + leapSeconds * (width + 4) + standardFlags + universalFlags
        }
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var rest: ArraySlice<UInt8> { bytes[offset...] }

    mutating func header() -> Header? {
        guard rest.starts(with: "TZif".utf8), skip(4), let version = integer(1), skip(15),
            let counts = integers(6, of: 4), counts.allSatisfy({ 0..<1_000_000 ~= $0 })
        else { return nil }
        return Header(
            // The version is a digit; version 1 is a zero byte.
            version: version - 0x30, universalFlags: counts[0], standardFlags: counts[1], leapSeconds: counts[2],
            times: counts[3], types: counts[4], letters: counts[5])
    }

    /// Skips bytes; returns false if the file ends before.
    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - offset else { return false }
        offset += count
        return true
    }

    /// Reads a signed integer of 1, 4 or 8 bytes; returns nil if the file ends before. A single byte is unsigned.
    mutating func integer(_ width: Int) -> Int? {
        let start = offset
        guard skip(width) else { return nil }
        let bits = bytes[start..<offset].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(truncatingIfNeeded: bits)
    }

    mutating func integers(_ count: Int, of width: Int) -> [Int]? {
        guard count <= (bytes.count - offset) / width else { return nil }
        return (0..<count).compactMap { _ in integer(width) }
    }
}
