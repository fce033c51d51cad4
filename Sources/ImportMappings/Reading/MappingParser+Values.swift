internal import DocumentReading
internal import PredicateExpressions
import RecordConversion
import TextEncodings

extension MappingParser {
    // MARK: Where a value comes from

    /// Returns the origin in short form: a column, or a list of columns of which the first with a value is used.
    mutating func shortOrigin(_ node: YAMLNode, what: String) -> ValueOrigin? {
        guard let names = texts(node, what: what) else { return nil }
        return names.count == 1 ? .column(names[0]) : .firstOf(names)
    }

    mutating func origin(_ fields: YAMLFields, what: String) -> ValueOrigin? {
        let sorts = ["from", "constant", "text", "expression"]
        let given = sorts.filter(fields.has)
        guard let sort = given.first, let node = fields[sort] else {
            report("\(what) needs \"from\", \"constant\", \"text\" or \"expression\"", at: fields.node.location)
            return nil
        }
        guard given.count == 1 else {
            report("\"\(given[1])\" and \"\(sort)\" exclude each other; remove one", at: fields.location(given[1]))
            return nil
        }
        if fields.has("columns") && sort != "expression" {
            report("\"columns\" is for \"expression\"; remove it", at: fields.location("columns"))
        }
        switch sort {
        case "from": return shortOrigin(node, what: "\"from\"")
        case "constant": return text(node, what: "\"constant\"", allowsEmpty: true).map { .constant($0) }
        case "text": return template(node).map { .template($0) }
        default: return expression(node, columns: fields["columns"]).map { .expression($0) }
        }
    }

    private mutating func template(_ node: YAMLNode) -> TextTemplate? {
        guard let text = text(node, what: "\"text\"") else { return nil }
        do {
            let template = try TextTemplate(text)
            if template.columns.isEmpty {
                report("this text has no column; write one in braces, or use \"constant\"", at: node.location)
            }
            return template
        } catch {
            report("\(error)", at: node.location(offset: error.offset))
            return nil
        }
    }

    private mutating func expression(_ node: YAMLNode, columns: YAMLNode?) -> MappedExpression? {
        guard let text = text(node, what: "\"expression\"") else { return nil }
        var names: ExpressionNames
        do {
            names = ExpressionNames(try Expression(format: text))
        } catch {
            report("the expression cannot be used: \(error)", at: node.location(offset: error.column - 1))
            return nil
        }
        if let construct = names.unusable {
            report(
                "the expression has \(construct), which a record does not have; use columns, constants and functions",
                at: node.location)
            return nil
        }
        var result = MappedExpression(text, columns: [:])
        for name in names.names { result.columns[name] = name }
        for entry in columns.map({ entries(of: $0, what: "\"columns\"") ?? [] }) ?? [] {
            guard let column = self.text(entry.value, what: "the column of \"\(entry.key)\"") else { continue }
            guard result.columns[entry.key] != nil else {
                let suggestion = NearestName.find(entry.key, among: names.names).map { "; did you mean \"\($0)\"?" }
                report("the expression has no name \"\(entry.key)\"" + (suggestion ?? ""), at: entry.keyLocation)
                continue
            }
            result.columns[entry.key] = column
        }
        return result
    }

    // MARK: Settings

    mutating func settings(of node: YAMLNode, at place: MappingPlace) -> ConversionSettings {
        guard let fields = fields(of: node, what: "\"settings\"", keys: MappingKeys.settings) else {
            return ConversionSettings()
        }
        return settings(fields, at: place)
    }

    mutating func settings(_ fields: YAMLFields, at place: MappingPlace) -> ConversionSettings {
        var settings = ConversionSettings()
        note(fields, in: place)
        settings.date = fields["date"].flatMap { text($0, what: "\"date\"") }
        settings.timeZone = fields["timeZone"].flatMap { text($0, what: "\"timeZone\"") }
        settings.locale = fields["locale"].flatMap { text($0, what: "\"locale\"") }
        settings.binary = fields["binary"].flatMap { text($0, what: "\"binary\"") }
        settings.folder = fields["folder"].flatMap { text($0, what: "\"folder\"") }
        settings.archive = fields["archive"].flatMap { text($0, what: "\"archive\"") }
        settings.decimalSeparator = fields["decimalSeparator"].flatMap { text($0, what: "\"decimalSeparator\"") }
        settings.groupingSeparator = fields["groupingSeparator"].flatMap {
            let text = text($0, what: "\"groupingSeparator\"", allowsEmpty: true)
            return text == "none" ? "" : text
        }
        settings.yes = fields["yes"].flatMap { texts($0, what: "\"yes\"") }
        settings.no = fields["no"].flatMap { texts($0, what: "\"no\"") }
        settings.trims = fields["trim"].flatMap { boolean($0, what: "\"trim\"") }
        settings.emptyAsNull = fields["emptyAsNull"].flatMap { text($0, what: "\"emptyAsNull\"") }
        settings.nullTokens = fields["nullTokens"].flatMap { nullTokens($0) }
        check(settings, fields)
        return settings
    }

    /// Returns texts; an empty list removes the default ones.
    private mutating func nullTokens(_ node: YAMLNode) -> [String]? {
        node.sequence?.isEmpty == true ? [] : texts(node, what: "\"nullTokens\"")
    }

    /// Checks the settings for all possible types; errors in inherited settings are reported there.
    private mutating func check(_ own: ConversionSettings, _ fields: YAMLFields) {
        for error in own.inheriting(inheritedSettings).problems {
            guard let setting = error.setting, let node = fields[setting] else { continue }
            report(error.description, at: node.location)
        }
    }
}
