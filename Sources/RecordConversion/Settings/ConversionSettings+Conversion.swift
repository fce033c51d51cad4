internal import DocumentReading
public import ManagedObjectModels
import TextEncodings

extension ValueConversion {
    /// Compiles the settings of a mapping for an attribute.
    ///
    /// The attribute's own settings must fit its type; inherited settings apply if they fit. Folders of binary data are
    /// relative to `sourceFolder`, the folder of the source.
    /// - Throws: `ConversionSettingsError` if a setting does not fit the attribute's type, or cannot be used.
    public init(
        to type: AttributeType, settings own: ConversionSettings, inherited: ConversionSettings = ConversionSettings(),
        sourceFolder: String = "."
    ) throws(ConversionSettingsError) {
        guard let conversion = ValueConversion(attributeType: type) else {
            throw ConversionSettingsError(.notConvertible(type: type.name), setting: nil)
        }
        self = conversion
        try own.refuseUnsuitable(for: conversion.target, type: type)
        let settings = own.inheriting(inherited)
        trims = settings.trims ?? trims
        emptyText = try settings.emptyTextRule() ?? emptyText
        if let tokens = settings.nullTokens { nullTokens = tokens.map { Array($0.utf8) } }
        switch target {
        case .date: date = try settings.dateConversion()
        case .binary:
            guard type == .transformable, let form = try settings.archiveForm() else {
                binary = try settings.binaryConversion(sourceFolder: sourceFolder)
                break
            }
            binary = .archive(form)
            date = try settings.dateConversion()
            // A text that is passed unchanged to a value transformer keeps its white space and may be empty.
            let text = ValueConversion(.string)
            if form == .string {
                (trims, emptyText) = (settings.trims ?? text.trims, try settings.emptyTextRule() ?? text.emptyText)
            }
        case .boolean: booleans = try settings.booleanWords()
        case .integer, .decimal, .double, .float: numbers = try settings.numberFormat()
        case .string, .uuid, .uri: break
        }
    }
}

extension ConversionSettings {
    static let emptyRules: [(name: String, rule: ValueConversion.EmptyText)] = [
        ("always", .always), ("unless-quoted", .unlessQuoted), ("never", .never),
    ]

    static let dateForms: [(name: String, form: DateConversion.Form)] = [
        ("iso8601", .iso8601), ("seconds1970", .secondsSince1970), ("milliseconds1970", .millisecondsSince1970),
        ("microseconds1970", .microsecondsSince1970), ("seconds2001", .secondsSince2001),
        ("milliseconds2001", .millisecondsSince2001), ("spreadsheet", .spreadsheetDays),
        ("julian", .julianDays),
    ]

    static let binaryForms = ["base64", "hex", "text", "file"]

    fileprivate func refuseUnsuitable(
        for target: ValueConversion.Target, type: AttributeType
    ) throws(ConversionSettingsError) {
        let isDate = target == .date || type == .transformable && archive == ArchiveForm.date.rawValue
        let isNumber = target == .integer || target == .decimal || target == .double || target == .float
        let rules: [(setting: String, isGiven: Bool, fits: Bool, suitable: String)] = [
            ("date", date != nil, isDate, "dates"),
            ("timeZone", timeZone != nil, isDate, "dates"),
            ("locale", locale != nil, isDate, "dates"),
            ("archive", archive != nil, type == .transformable, "transformable attributes"),
            ("binary", binary != nil, target == .binary, "binary data"),
            ("folder", folder != nil, target == .binary, "binary data"),
            ("decimalSeparator", decimalSeparator != nil, isNumber, "numbers"),
            ("groupingSeparator", groupingSeparator != nil, isNumber, "numbers"),
            ("yes", yes != nil, target == .boolean, "Booleans"),
            ("no", no != nil, target == .boolean, "Booleans"),
        ]
        for rule in rules where rule.isGiven && !rule.fits {
            throw ConversionSettingsError(
                .unsuitable(type: type.name, suitable: rule.suitable), setting: rule.setting)
        }
        if archive != nil, binary != nil || folder != nil {
            throw ConversionSettingsError(.archiveOfBytes, setting: "archive")
        }
        if folder != nil, let binary, binary != "file" {
            throw ConversionSettingsError(.folderWithoutFiles, setting: "folder")
        }
    }

    /// The errors in the settings that do not depend on the attribute.
    package var problems: [ConversionSettingsError] {
        var problems: [ConversionSettingsError] = []
        do { _ = try dateConversion() } catch { problems.append(error) }
        do { _ = try binaryConversion(sourceFolder: ".") } catch { problems.append(error) }
        do { _ = try archiveForm() } catch { problems.append(error) }
        do { _ = try booleanWords() } catch { problems.append(error) }
        do { _ = try numberFormat() } catch { problems.append(error) }
        do { _ = try emptyTextRule() } catch { problems.append(error) }
        return problems
    }

    /// Returns when an empty text is NULL; nil if this depends on the type.
    func emptyTextRule() throws(ConversionSettingsError) -> ValueConversion.EmptyText? {
        guard let rule = emptyAsNull else { return nil }
        if let known = ConversionSettings.emptyRules.first(where: { $0.name == rule }) { return known.rule }
        let suggestion = NearestName.find(rule, among: ConversionSettings.emptyRules.map(\.name))
        throw ConversionSettingsError(.unknownEmptyRule(suggestion: suggestion), setting: "emptyAsNull", value: rule)
    }

    /// Returns the form of dates, and the zone of times that have none.
    func dateConversion() throws(ConversionSettingsError) -> DateConversion {
        var zone = ZoneOffset.utc
        if let timeZone {
            guard let known = ZoneOffset(timeZone) else {
                throw ConversionSettingsError(.unknownTimeZone, setting: "timeZone", value: timeZone)
            }
            zone = known
        }
        guard let date else { return DateConversion(.iso8601, zone: zone) }
        if let form = ConversionSettings.dateForms.first(where: { $0.name == date })?.form {
            return DateConversion(form, zone: zone)
        }
        do {
            return DateConversion(.pattern(try DatePattern(date, locale: locale ?? "en")), zone: zone)
        } catch {
            let suggestion = NearestName.find(date, among: ConversionSettings.dateForms.map(\.name))
            throw ConversionSettingsError(
                .dateFormat(reason: error.description, suggestion: suggestion), setting: "date", value: date)
        }
    }

    func binaryConversion(sourceFolder: String) throws(ConversionSettingsError) -> BinaryConversion {
        switch binary {
        case nil where folder != nil, "file":
            let relative = folder ?? ""
            if relative.hasPrefix("/") { return .file(BinaryFolder(path: relative)) }
            return .file(BinaryFolder(path: relative.isEmpty ? sourceFolder : sourceFolder + "/" + relative))
        case nil, "base64": return .base64
        case "hex": return .hexadecimal
        case "text": return .text
        case let form?:
            let suggestion = NearestName.find(form, among: ConversionSettings.binaryForms)
            throw ConversionSettingsError(.unknownBinaryForm(suggestion: suggestion), setting: "binary", value: form)
        }
    }

    /// Returns the form of the values of transformable attributes; nil if the source has their bytes.
    package func archiveForm() throws(ConversionSettingsError) -> ArchiveForm? {
        guard let archive else { return nil }
        if let form = ArchiveForm(rawValue: archive) { return form }
        let suggestion = NearestName.find(archive, among: ArchiveForm.allCases.map(\.rawValue))
        throw ConversionSettingsError(.unknownArchiveForm(suggestion: suggestion), setting: "archive", value: archive)
    }

    func booleanWords() throws(ConversionSettingsError) -> BooleanWords {
        guard yes != nil || no != nil else { return .common }
        for (setting, words) in [("yes", yes), ("no", no)] {
            if let words, words.allSatisfy(\.isEmpty) { throw ConversionSettingsError(.noWords, setting: setting) }
        }
        func folded(_ words: [String]) -> [String] { words.map { $0.lowercased() } }
        if let yes, let no, let word = folded(yes).first(where: folded(no).contains) {
            throw ConversionSettingsError(.wordOfBoth(word), setting: "no", value: word)
        }
        // A custom word for one answer is removed from the common words for the other.
        let noWords = no ?? BooleanWords.commonNo.filter { !folded(yes ?? []).contains($0) }
        let yesWords = yes ?? BooleanWords.commonYes.filter { !folded(no ?? []).contains($0) }
        return BooleanWords(yes: yesWords, no: noWords)
    }

    func numberFormat() throws(ConversionSettingsError) -> NumberFormat {
        let decimal = try separator(decimalSeparator, setting: "decimalSeparator") ?? [UInt8(ascii: ".")]
        let grouping = try groupingSeparator == "" ? nil : separator(groupingSeparator, setting: "groupingSeparator")
        guard decimal.count == 1 else {
            throw ConversionSettingsError(.separator, setting: "decimalSeparator", value: decimalSeparator ?? "")
        }
        let format = NumberFormat(decimalSeparator: decimal[0], groupingSeparator: grouping)
        guard decimal != grouping else {
            throw ConversionSettingsError(
                .sameSeparators, setting: groupingSeparator == nil ? "decimalSeparator" : "groupingSeparator",
                value: String(UnicodeScalar(format.decimalSeparator)))
        }
        return format
    }

    /// Returns the bytes of a separator; nil if there is none.
    private func separator(_ text: String?, setting: String) throws(ConversionSettingsError) -> [UInt8]? {
        guard let text else { return nil }
        guard text.count == 1, let character = text.first, !character.isNumber, !"+-".contains(character),
            character.asciiValue.map({ $0 >= 0x20 && $0 < 0x7F }) ?? true
        else { throw ConversionSettingsError(.separator, setting: setting, value: text) }
        return Array(text.utf8)
    }
}
