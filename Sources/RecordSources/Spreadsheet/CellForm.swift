/// The meaning of a number in a cell, according to its format.
enum CellForm: UInt8 {
    case number
    case day
    case time
    /// A date with a time.
    case moment

    /// Creates the form of a built-in format, which has no text in a workbook (ECMA-376, part 1, 18.8.30), in any
    /// language.
    init(builtIn number: Int) {
        switch number {
        case 14...17, 27...31, 34...36, 50...54, 57, 58: self = .day
        case 22: self = .moment
        case 18...21, 32, 33, 45, 47, 55, 56: self = .time
        default: self = .number
        }
    }

    /// Creates the form of a format's text, such as `dd.mm.yyyy hh:mm`.
    ///
    /// Only the part for positive numbers is used. Elapsed times, such as `[h]:mm`, are numbers of days.
    init(format: String) {
        guard !Self.isGeneral(format) else {
            self = .number
            return
        }
        var hasDay = false
        var hasTime = false
        var hasMonthOrMinute = false
        var characters = format.unicodeScalars.makeIterator()
        scan: while let character = characters.next() {
            switch character {
            case ";": break scan
            case "\\", "_", "*": _ = characters.next()
            case "\"": while let next = characters.next(), next != "\"" {}
            case "[":
                var inside = ""
                while let next = characters.next(), next != "]" { inside.unicodeScalars.append(next) }
                if !inside.isEmpty, inside.lowercased().allSatisfy({ "hms".contains($0) }) {
                    self = .number
                    return
                }
            case "d", "D", "y", "Y", "e", "g", "G", "b", "B":
                // In "0.00e+00", the letter is the exponent.
                if character == "e" && format.contains("0") { continue }
                hasDay = true
            case "h", "H", "s", "S": hasTime = true
            case "m", "M": hasMonthOrMinute = true
            default: break
            }
        }
        if hasMonthOrMinute && !hasTime { hasDay = true }
        self =
            switch (hasDay, hasTime) {
            case (true, true): .moment
            case (true, false): .day
            case (false, true): .time
            case (false, false): .number
            }
    }

    /// Returns whether numbers are shown unchanged: `General`, with or without a color or a language before it.
    private static func isGeneral(_ format: String) -> Bool {
        var rest = format.lowercased()[...]
        while rest.first == "[", let end = rest.firstIndex(of: "]") { rest = rest[rest.index(after: end)...] }
        return rest.hasPrefix("general")
    }
}
