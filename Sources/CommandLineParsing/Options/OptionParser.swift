import TextEncodings

/// Parses the words after a command's name into its options.
struct OptionParser<Options: OptionTable> {
    private let flags: [Flag<Options>]
    private var options = Options()
    private var seen: Set<String> = []

    private init(_ common: [CommonFlag]) { flags = Options.flags + common.map { $0.flag() } }

    /// - Parameter common: the options common to all commands.
    static func parse(_ words: [String], _ common: [CommonFlag] = []) throws(UsageError) -> Options {
        var parser = OptionParser(common)
        try parser.read(words)
        for flag in parser.flags.map(\.description) where flag.isRequired && !parser.seen.contains(flag.long) {
            throw .missing(flag.usage)
        }
        return parser.options
    }

    private mutating func read(_ words: [String]) throws(UsageError) {
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                options.operands += words[index...]
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                options.operands.append(word)
                continue
            }
            let (spelling, attached) = Self.split(word)
            guard let flag = flag(spelled: spelling) else {
                throw UsageError.unknownOption(word, spelling: spelling, among: flags.map(\.description))
            }
            guard flag.description.takesValue else {
                if let attached { throw UsageError(.unexpectedValue, spelling, value: attached) }
                try apply(flag, "", as: spelling)
                continue
            }
            if let attached {
                try apply(flag, attached, as: spelling)
            } else if index < words.count, !isOption(words[index]) {
                try apply(flag, words[index], as: spelling)
                index += 1
            } else {
                let next = index < words.count ? words[index] : nil
                throw UsageError(
                    .missingValue, spelling, value: next, expected: flag.description.expectation,
                    suggestion: next.flatMap { $0 == "--" ? nil : "\(flag.description.spelling)=\($0)" })
            }
        }
    }

    private mutating func apply(_ flag: Flag<Options>, _ value: String, as spelling: String) throws(UsageError) {
        let description = flag.description
        guard seen.insert(description.long).inserted || description.isRepeatable else {
            throw UsageError(.repeatedOption, spelling)
        }
        guard flag.apply(&options, value) else {
            throw UsageError(
                .badValue, spelling, value: value, expected: description.expectation,
                suggestion: NearestName.find(value, among: description.completion.choices))
        }
    }

    private func flag(spelled spelling: String) -> Flag<Options>? {
        flags.first { $0.description.spelling == spelling || $0.description.short.map { "-\($0)" } == spelling }
    }

    /// Returns whether a word is an option of this command, and therefore cannot be the value of the preceding option.
    private func isOption(_ word: String) -> Bool {
        word == "--" || flag(spelled: Self.split(word).spelling) != nil
    }

    /// Splits `--name=value`, a form that only long options have.
    private static func split(_ word: String) -> (spelling: String, attached: String?) {
        guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
}
