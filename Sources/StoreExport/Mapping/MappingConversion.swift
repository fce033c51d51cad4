public import ImportMappings
public import ManagedObjectModels
import RecordConversion
import RecordSources
import StoreFetching

/// Rewrites an import mapping for files of another format, with the same objects and columns.
public struct MappingConversion {
    private let format: ExportFormat?
    private let model: ResolvedModel
    private var names: Set<String> = []

    /// Returns the mapping for files of a format.
    /// - Parameters:
    ///   - mapping: the mapping to rewrite.
    ///   - format: the format of all files; nil to change only the sources that are databases, which become CSV.
    ///   - model: the model of the store that is exported.
    public static func mapping(
        _ mapping: ImportMapping, to format: ExportFormat?, model: ResolvedModel
    ) -> ImportMapping {
        var conversion = MappingConversion(format: format, model: model)
        var result = mapping
        for index in result.sources.indices {
            let settings = result.sources[index].settings.inheriting(mapping.settings)
            conversion.convert(&result.sources[index], settings: settings)
        }
        return result
    }

    private init(format: ExportFormat?, model: ResolvedModel) {
        self.format = format
        self.model = model
    }

    private mutating func convert(_ source: inout SourceMapping, settings: ConversionSettings) {
        let old = SourceMapping.writtenFormat(of: source)
        guard let new = format ?? (old == nil ? .csv : nil), new != old else { return }
        let entity = source.objects.first?.entity ?? source.name
        let name = unique(Self.name(of: source) ?? entity)
        source.files = [name + "." + new.rawValue]
        source.name = name
        source.format = SourceFormat(new, record: entity)
        let isFlat = old == nil || old == .csv
        let wasXML = old == .xml
        for object in source.objects.indices {
            Self.rename(&source.objects[object], new) { text in Self.column(text, isFlat: isFlat, wasXML: wasXML, new) }
            if new == .xml, settings.emptyAsNull == nil { keepEmptyTexts(&source.objects[object]) }
        }
        // XML also has no quotes that distinguish texts from tokens for NULL.
        if new == .xml, settings.nullTokens == nil { source.settings.nullTokens = [] }
        source.filter = source.filter?.renamed { Self.column($0, isFlat: isFlat, wasXML: wasXML, new) }
    }

    /// Keeps empty texts: XML has no quotes that distinguish an empty text from NULL; instead, NULL is a missing
    /// element.
    private func keepEmptyTexts(_ object: inout ObjectMapping) {
        let entity = model.entity(named: object.entity)
        for index in object.attributes.indices where object.attributes[index].conversion.emptyAsNull == nil {
            guard entity?.attribute(named: object.attributes[index].attribute)?.type == .string else { continue }
            object.attributes[index].conversion.emptyAsNull = "never"
        }
    }

    private mutating func unique(_ name: String) -> String {
        var number = 1
        while !names.insert(number == 1 ? name : "\(name)-\(number)").inserted { number += 1 }
        return number == 1 ? name : "\(name)-\(number)"
    }

    /// Returns the file name without extension; nil if it is a pattern.
    private static func name(of source: SourceMapping) -> String? {
        if let table = source.format.table { return table }
        let last = source.name.split(separator: "/").last.map(String.init) ?? ""
        let name = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
        return name.isEmpty || name.contains(where: { "*?".contains($0) }) ? nil : name
    }

    // MARK: Names

    private static func column(_ text: String, isFlat: Bool, wasXML: Bool, _ format: ExportFormat) -> String {
        if isFlat {
            switch format {
            case .csv: return text
            case .xml: return elementName(text)
            case .json, .ndjson: return ColumnPath.text(of: text)
            }
        }
        var path = text
        if wasXML, format != .xml {
            path = path == "." ? "text" : path.replacing("@", with: "").replacing("text()", with: "text")
        }
        if format == .xml, !wasXML {
            // Only quoted names contain characters that element names do not allow.
            path = path.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset.isMultiple(of: 2) ? String($0.element) : elementName(String($0.element)) }.joined()
        }
        return format == .csv ? path.replacing("[*]", with: "").replacing("\"", with: "") : path
    }

    /// Returns a valid name of an XML element, such as `All_Day_Event`.
    private static func elementName(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            // A colon would follow a namespace prefix, and a period would separate the steps of a path.
            text.append(XMLWriter.isName(scalar) && scalar != ":" && scalar != "." ? scalar : "_")
        }
        let name = String(text)
        return XMLWriter.isName(name[...]) ? name : "_" + name
    }

    private static func rename(_ object: inout ObjectMapping, _ format: ExportFormat, _ name: (String) -> String) {
        for index in object.attributes.indices {
            object.attributes[index].value = object.attributes[index].value.renamed(name)
        }
        for index in object.relationships.indices {
            object.relationships[index].order = object.relationships[index].order.map(name)
            guard case .key(var target) = object.relationships[index].target else { continue }
            let isList = target.separator != nil || target.parts.contains { $0.value.isList }
            for part in target.parts.indices {
                target.parts[part].value = target.parts[part].value.renamed { text in
                    let column = name(text)
                    return isList && format != .csv && !column.contains("[*]") ? column + "[*]" : column
                }
            }
            if isList { target.separator = format == .csv ? target.separator ?? "|" : nil }
            object.relationships[index].target = .key(target)
        }
        object.filter = object.filter?.renamed(name)
    }
}

extension SourceFormat {
    /// Creates the description of the files that an export writes in a format.
    init(_ format: ExportFormat, record: String) {
        self.init(kind: format == .csv ? .csv : format == .xml ? .xml : .json)
        switch format {
        case .csv:
            delimiter = ","
            quote = "\""
            escape = ""
            hasHeader = true
        case .ndjson: layout = .lines
        case .json: layout = .array
        case .xml: records = "/\(record)List/\(record)"
        }
    }
}

extension SourceMapping {
    /// Returns the format of a source's files, if the mapping determines it; nil for databases.
    static func writtenFormat(of source: SourceMapping, else format: ExportFormat? = nil) -> ExportFormat? {
        switch source.format.impliedKind {
        case .csv: return .csv
        case .xml: return .xml
        case .json:
            switch source.format.layout {
            case .lines?: return .ndjson
            case .array?: return .json
            default: return format == .ndjson ? .ndjson : .json
            }
        case .some: return nil
        // Settings that apply to spreadsheets as well.
        case nil where source.format.possibleKinds == [.csv, .xlsx]: return .csv
        case nil:
            if source.format.records?.hasPrefix("/") ?? false { return .xml }
            if let format { return format }
            let name = source.files.first ?? ""
            let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
            return ["jsonl": .ndjson, "tsv": .csv][ending] ?? ExportFormat(rawValue: ending) ?? .csv
        }
    }
}

extension ValueOrigin {
    fileprivate var isList: Bool { columns.contains { $0.contains("[*]") } }

    fileprivate func renamed(_ name: (String) -> String) -> ValueOrigin {
        switch self {
        case .column(let column): return .column(name(column))
        case .firstOf(let columns): return .firstOf(columns.map(name))
        case .constant: return self
        case .template(let template): return .template(template.renamed(name))
        case .expression(let expression):
            return .expression(MappedExpression(expression.text, columns: expression.columns.mapValues(name)))
        }
    }
}

extension RecordFilter {
    fileprivate func renamed(_ name: (String) -> String) -> RecordFilter {
        switch self {
        case .isIn(let column, let texts): .isIn(name(column), texts)
        case .isPresent(let column): .isPresent(name(column))
        case .not(let inner): .not(inner.renamed(name))
        case .all(let parts): .all(parts.map { $0.renamed(name) })
        case .any(let parts): .any(parts.map { $0.renamed(name) })
        }
    }
}
