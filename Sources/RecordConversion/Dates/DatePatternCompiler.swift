/// Compiles a date format to steps.
struct DatePatternCompiler {
    private let text: String
    private var steps: [DatePattern.Step] = []

    init(_ text: String) {
        self.text = text
    }

    /// Compiles Unicode's format (UTS 35), in which a run of one letter is a field.
    mutating func unicodeSteps() throws(DatePatternError) -> [DatePattern.Step] {
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if character == "'" {
                index = try quoted(characters, from: index)
                continue
            }
            guard character.isASCII && character.isLetter else {
                literal(String(character))
                index += 1
                continue
            }
            var count = 1
            while index + count < characters.count, characters[index + count] == character { count += 1 }
            steps.append(try unicodeField(character, count))
            index += count
        }
        return try finished()
    }

    /// Compiles text between apostrophes; two apostrophes stand for one.
    private mutating func quoted(_ characters: [Character], from start: Int) throws(DatePatternError) -> Int {
        var index = start + 1
        if index < characters.count, characters[index] == "'" {
            literal("'")
            return index + 1
        }
        while index < characters.count {
            if characters[index] == "'" {
                guard index + 1 < characters.count, characters[index + 1] == "'" else { return index + 1 }
                index += 1
            }
            literal(String(characters[index]))
            index += 1
        }
        throw failure("an apostrophe is not closed")
    }

    private func unicodeField(_ letter: Character, _ count: Int) throws(DatePatternError) -> DatePattern.Step {
        switch letter {
        case "y" where count == 2, "u" where count == 2: return .number(.shortYear, digits: 2, isExact: true)
        case "y", "u": return number(count < 4 ? .year : .fullYear, min(9, max(4, count)))
        case "M", "L": return count >= 3 ? .monthName(isShort: count == 3) : number(.month, 2)
        case "d": return number(.day, 2)
        case "D": return number(.dayOfYear, 3)
        case "H": return number(.hour, 2)
        case "h": return number(.halfDayHour, 2)
        case "k": return number(.hour, 2)
        case "K": return number(.halfDayHour, 2)
        case "m": return number(.minute, 2)
        case "s": return number(.second, 2)
        case "A": return number(.millisecondOfDay, 8)
        case "S": return .fraction
        case "a", "b", "B": return .dayPeriod
        case "E", "c", "e": return .weekdayName(isShort: count <= 3)
        case "Z", "X", "x", "z", "O": return .offset
        default: throw failure("the letter '\(letter)' has no meaning that can be read; quote it if it is text")
        }
    }

    /// Compiles strptime's format, in which a field is a percent sign and a letter.
    mutating func conversionSteps() throws(DatePatternError) -> [DatePattern.Step] {
        var characters = text.makeIterator()
        while let character = characters.next() {
            guard character == "%" else {
                literal(String(character))
                continue
            }
            guard var letter = characters.next() else { throw failure("it ends in '%'") }
            // `%-d` and `%_d` specify the padding of numbers when they are written.
            if letter == "-" || letter == "_" || letter == "0" { letter = characters.next() ?? "%" }
            try conversion(letter)
        }
        return try finished()
    }

    private mutating func conversion(_ letter: Character) throws(DatePatternError) {
        switch letter {
        case "Y": steps.append(number(.fullYear, 4))
        case "y": steps.append(number(.yearOfCentury, 2))
        case "m": steps.append(number(.month, 2))
        case "d", "e": steps.append(number(.day, 2))
        case "j": steps.append(number(.dayOfYear, 3))
        case "H", "k": steps.append(number(.hour, 2))
        case "I", "l": steps.append(number(.halfDayHour, 2))
        case "M": steps.append(number(.minute, 2))
        case "S": steps.append(number(.second, 2))
        case "f": steps.append(.fraction)
        case "s": steps.append(number(.secondsSince1970, 12))
        case "p", "P": steps.append(.dayPeriod)
        case "b", "B", "h": steps.append(.monthName(isShort: letter != "B"))
        case "a", "A": steps.append(.weekdayName(isShort: letter == "a"))
        case "z", "Z": steps.append(.offset)
        case "n", "t": steps.append(.space)
        case "T": try expand("H:M:S")
        case "R": try expand("H:M")
        case "D": try expand("m/d/y")
        case "F": try expand("Y-m-d")
        case "%": literal("%")
        default: throw failure("'%\(letter)' has no meaning that can be read")
        }
    }

    private mutating func expand(_ short: String) throws(DatePatternError) {
        for character in short {
            if character.isLetter { try conversion(character) } else { literal(String(character)) }
        }
    }

    private mutating func literal(_ text: String) {
        if text == " " || text == "\u{A0}" || text == "\u{202F}" {
            if steps.last != .space { steps.append(.space) }
        } else {
            steps += text.utf8.map { .literal($0) }
        }
    }

    private func number(_ part: DatePattern.Part, _ digits: Int) -> DatePattern.Step {
        .number(part, digits: digits, isExact: false)
    }

    /// Numbers that are directly followed by digits have a fixed number of digits.
    private func finished() throws(DatePatternError) -> [DatePattern.Step] {
        guard !steps.isEmpty else { throw failure("it is empty") }
        var steps = steps
        for index in steps.indices {
            guard case .number(let part, let digits, _) = steps[index] else { continue }
            let isFollowed = index + 1 < steps.count && DatePatternCompiler.isDigits(steps[index + 1])
            let isPreceded = index > 0 && DatePatternCompiler.isDigits(steps[index - 1])
            if isFollowed || isPreceded { steps[index] = .number(part, digits: digits, isExact: true) }
        }
        return steps
    }

    private static func isDigits(_ step: DatePattern.Step) -> Bool {
        switch step {
        case .number, .fraction: true
        default: false
        }
    }

    private func failure(_ reason: String) -> DatePatternError { DatePatternError(pattern: text, reason: reason) }
}
