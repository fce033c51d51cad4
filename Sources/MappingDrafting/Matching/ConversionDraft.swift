import ManagedObjectModels
import RecordConversion
import RecordSources

/// The settings that convert the values of a sample to values of an attribute, found by trying.
struct ConversionDraft {
    private(set) var settings = ConversionSettings()
    /// The number of distinct values in the sample that cannot be converted.
    private(set) var failureCount = 0
    /// The first of them, and its error.
    private(set) var example: String?
    /// What is uncertain about the settings, for a comment.
    private(set) var remark: String?
    let valueCount: Int
    /// Whether the values are ambiguous, so that no settings are given.
    private(set) var isAmbiguous = false

    /// Whether enough values can be converted to map the attribute: all, or all but a few percent.
    var isUsable: Bool { isAmbiguous || failureCount == 0 || failureCount * 20 <= valueCount }

    /// - Parameter basis: with `.declarations`, the values are ignored.
    init(_ values: SampledValues, type: AttributeType, hints: PropertyHints, basis: DraftBasis = .sample) {
        valueCount = values.fields.count
        guard let plain = ValueConversion(attributeType: type) else { return }
        if basis == .declarations {
            if plain.target == .date { settings.date = hints.dates.first }
            return
        }
        guard valueCount > 0 else {
            if values.count == 0 { remark = "no value in the sample" }
            return
        }
        let candidates = Self.candidates(values, target: plain.target, hints: hints)
        var best: (settings: ConversionSettings, failures: Int, example: String?)?
        for settings in candidates {
            guard let conversion = try? ValueConversion(to: type, settings: settings) else { continue }
            let (failures, example) = Self.failures(of: conversion, on: values, atMost: best?.failures ?? .max)
            if best.map({ failures < $0.failures }) ?? true { best = (settings, failures, example) }
            if failures == 0 { break }
        }
        guard let best else { return }
        settings = best.settings
        failureCount = best.failures
        example = best.example
        if failureCount == 0, let ambiguity = Self.ambiguity(settings, values, type) {
            (settings, isAmbiguous, remark) = (ConversionSettings(), true, ambiguity)
            return
        }
        var remarks: [String] = []
        if failureCount > 0, isUsable {
            remarks.append(
                "\(failureCount) of \(valueCount) values of the sample do not convert, such as \(example ?? "")")
        } else if failureCount == 0, plain.target == .date {
            remarks += Self.doubts(settings, values, type)
        }
        remark = (remarks + Self.guesses(settings)).joined(separator: "; ")
        if remark == "" { remark = nil }
    }

    /// Returns the other meaning of numbers: `1,234` may be more than a thousand, or a little more than one. nil if
    /// they are unambiguous.
    private static func ambiguity(
        _ settings: ConversionSettings, _ values: SampledValues, _ type: AttributeType
    ) -> String? {
        let (decimal, grouping) = (settings.decimalSeparator, settings.groupingSeparator)
        guard decimal == "," || grouping == ",", decimal == nil || grouping == nil else { return nil }
        var other = settings
        (other.decimalSeparator, other.groupingSeparator) = decimal == nil ? (",", nil) : (nil, ",")
        guard let conversion = try? ValueConversion(to: type, settings: other),
            failures(of: conversion, on: values, atMost: 1).0 == 0
        else { return nil }
        let example = values.texts.first { $0.contains(",") }.map(CommentText.quoted) ?? ""
        return "ambiguous: \(example) may be thousands (groupingSeparator: ',') or a fraction (decimalSeparator: ','); "
            + "say which, or such values are rejected"
    }

    /// Returns the assumptions of the settings.
    private static func guesses(_ settings: ConversionSettings) -> [String] {
        var guesses: [String] = []
        if let words = settings.nullTokens?.filter({ $0 != "\\N" }), !words.isEmpty {
            guesses.append("a guess: \(words.map(CommentText.quoted).joined(separator: ", ")) stands for no value")
        }
        if let separator = settings.groupingSeparator {
            guesses.append("a guess: \(CommentText.quoted(separator)) groups thousands")
        }
        if let yes = settings.yes?.first, let no = settings.no?.first {
            guesses.append("a guess: \(CommentText.quoted(yes)) is yes and \(CommentText.quoted(no)) no")
        }
        return guesses
    }

    private static func failures(
        of conversion: ValueConversion, on values: SampledValues, atMost limit: Int
    ) -> (Int, String?) {
        var batch = values.batch
        var count = 0
        var example: String?
        for field in values.fields {
            do throws(ConversionFailure) {
                _ = try conversion.convert(field, in: &batch)
            } catch {
                count += 1
                example = example ?? "\(CommentText.quoted(values.text(field))): \(error.sentence)"
                if count >= limit { break }
            }
        }
        return (count, example)
    }

    // MARK: What is tried

    private static func candidates(
        _ values: SampledValues, target: ValueConversion.Target, hints: PropertyHints
    ) -> [ConversionSettings] {
        var forms: [ConversionSettings]
        switch target {
        case .string, .uuid, .uri: forms = [ConversionSettings()]
        case .date: forms = DateForms.candidates(for: values, hints: hints.dates).map(Self.date)
        case .boolean: forms = booleans(values)
        case .binary: forms = binaries(values)
        case .integer, .decimal, .double, .float: forms = numbers(values)
        }
        guard target != .string else { return forms }
        // Words for NULL are searched for in the sample, and only those that occur are listed.
        let words = values.texts.filter { nullWords.contains($0.lowercased()) }
        guard !words.isEmpty else { return forms }
        return forms
            + forms.map { form in
                var form = form
                form.nullTokens = Array(Set(words)).sorted() + ["\\N"].filter { !words.contains($0) }
                return form
            }
    }

    private static let nullWords: Set<String> = [
        "null", "n/a", "na", "nan", "nil", "none", "-", "--", "?", "\\n", "unknown", "undefined", "(null)", "k. a.",
    ]

    private static func date(_ form: String?) -> ConversionSettings {
        var settings = ConversionSettings()
        settings.date = form
        return settings
    }

    /// Returns doubts: the order of day and month may be ambiguous in the sample.
    private static func doubts(
        _ settings: ConversionSettings, _ values: SampledValues, _ type: AttributeType
    ) -> [String] {
        var doubts: [String] = []
        if let other = otherOrder(settings, values, type) { doubts.append(other) }
        if let text = settings.date, let pattern = try? DatePattern(text), pattern.hasShortYear {
            doubts.append("years from \(pattern.shortYears.lowerBound) to \(pattern.shortYears.upperBound)")
        }
        return doubts
    }

    private static func otherOrder(
        _ settings: ConversionSettings, _ values: SampledValues, _ type: AttributeType
    ) -> String? {
        if settings.date == "seconds1970", DateForms.mayCountFrom2001(values) {
            return "or seconds2001: the numbers of the sample fit both"
        }
        guard let form = settings.date, let other = DateForms.swapped(form) else { return nil }
        var swapped = settings
        swapped.date = other
        guard let conversion = try? ValueConversion(to: type, settings: swapped) else { return nil }
        let (failures, _) = failures(of: conversion, on: values, atMost: 1)
        return failures == 0 ? "or \(other): no date of the sample tells" : nil
    }

    private static let words: [(yes: String, no: String)] = [
        ("ja", "nein"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("sim", "não"), ("wahr", "falsch"),
        ("vrai", "faux"), ("x", "-"), ("active", "inactive"), ("enabled", "disabled"), ("j", "n"), ("o", "n"),
    ]

    private static func booleans(_ values: SampledValues) -> [ConversionSettings] {
        let found = Set(values.texts.map { $0.lowercased() })
        let pairs = words.filter { found.isSubset(of: [$0.yes, $0.no]) }
        return [ConversionSettings()]
            + pairs.map { pair in
                var settings = ConversionSettings()
                settings.yes = [pair.yes]
                settings.no = [pair.no]
                return settings
            }
    }

    private static func binaries(_ values: SampledValues) -> [ConversionSettings] {
        // Hexadecimal digits are valid base64, too: only the common form of all values decides.
        let isHexadecimal = values.texts.allSatisfy { $0.utf8.count % 2 == 0 && $0.allSatisfy(\.isHexDigit) }
        return (isHexadecimal ? ["hex", nil, "text"] : [nil, "text"]).map { form in
            var settings = ConversionSettings()
            settings.binary = form
            return settings
        }
    }

    private static func numbers(_ values: SampledValues) -> [ConversionSettings] {
        func form(_ decimal: String?, _ grouping: String?) -> ConversionSettings {
            var settings = ConversionSettings()
            settings.decimalSeparator = decimal
            settings.groupingSeparator = grouping
            return settings
        }
        var forms = [form(nil, nil)]
        for (decimal, grouping) in [
            (nil, ","), (",", "."), (nil, " "), (nil, "'"), (",", " "), (nil, "_"), (",", "\u{A0}"),
            (",", "\u{202F}"), (nil, "\u{2019}"),
        ]
            as [(String?, String)]
        where values.texts.contains(where: { $0.contains(grouping) })
            && values.texts.allSatisfy({ isGrouped($0, by: Character(grouping)) })
        {
            forms.append(form(decimal, grouping))
        }
        forms.append(form(",", nil))
        return forms
    }

    /// Returns whether a text has only groups of three digits, or no groups: `1,234` may be grouped by a comma, `1,5`
    /// is not.
    private static func isGrouped(_ text: String, by separator: Character) -> Bool {
        let whole = text.split(separator: separator == "." ? "," : ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let integer = whole.first else { return true }
        if whole.count > 1, whole[1].contains(separator) { return false }
        let groups = integer.split(separator: separator, omittingEmptySubsequences: false)
        return groups.dropFirst().allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
    }
}
