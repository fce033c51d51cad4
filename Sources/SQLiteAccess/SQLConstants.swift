/// The constants in the text of a statement: texts, binary data and numbers.
enum SQLConstants {
    /// Returns the text with `?` instead of each constant; quoted names and parameters are kept.
    static func hidden(in sql: String) -> String {
        let bytes = Array(sql.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        /// Returns the index after the quote that ends a quoted text; doubled quotes are part of it.
        func end(of quote: UInt8, from start: Int) -> Int {
            var place = start + 1
            while place < bytes.count {
                if bytes[place] == quote {
                    guard place + 1 < bytes.count, bytes[place + 1] == quote else { return place + 1 }
                    place += 1
                }
                place += 1
            }
            return bytes.count
        }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "'"):
                result.append(UInt8(ascii: "?"))
                index = end(of: byte, from: index)
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                let next = end(of: byte, from: index)
                result += bytes[index..<next]
                index = next
            case _ where isDigit(byte):
                while index < bytes.count, isPart(bytes[index]) || bytes[index] == UInt8(ascii: ".") { index += 1 }
                result.append(UInt8(ascii: "?"))
            case _ where isPart(byte) || "?:@$".utf8.contains(byte):
                let start = index
                index += 1
                while index < bytes.count, isPart(bytes[index]) { index += 1 }
                // x'...' is binary data.
                let isData = index - start == 1 && (byte | 0x20) == UInt8(ascii: "x")
                if isData, index < bytes.count, bytes[index] == UInt8(ascii: "'") { continue }
                result += bytes[start..<index]
            default:
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns whether a byte can be inside a name.
    private static func isPart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }
}
