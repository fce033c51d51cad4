internal import DocumentReading
import RecordConversion

/// Writes an import mapping as the YAML that `ImportMappingReader` reads, with comments.
public enum ImportMappingWriter {
    /// Returns the complete document; `comments` are written around their parts, and those of the whole mapping at the
    /// beginning.
    ///
    /// Sources that are left out follow at the end, as comments that become sources when their comment marks are
    /// removed.
    public static func yaml(
        _ mapping: ImportMapping, comments: [MappingPlace: MappingComment] = [:], leftOut: [LeftOutSource] = []
    ) -> String {
        let open = leftOut.filter { $0.mapping != nil }
        let head = comments[MappingPlace()] ?? MappingComment()
        var entries = [YAMLTree.Entry("import", .word("\(ImportMappingReader.formatNumber)"), head)]
        if !mapping.settings.isEmpty {
            entries.append(YAMLTree.Entry("settings", .map(settings(mapping.settings))))
        }
        if mapping.sources.count == 1, mapping.sources[0].settings.isEmpty, open.isEmpty {
            let writer = SourceMappingWriter(mapping.sources[0], index: 0, comments: comments)
            entries += writer.entries(isWholeFile: true)
        } else {
            let sources = mapping.sources.enumerated().map { index, source in
                YAMLTree.map(SourceMappingWriter(source, index: index, comments: comments).entries(isWholeFile: false))
            }
            entries.append(YAMLTree.Entry("sources", .list(sources)))
        }
        return YAMLTreeWriter.text(entries) + open.map { text(of: $0) }.joined()
    }

    private static func text(of source: LeftOutSource) -> String {
        guard let mapping = source.mapping else { return "" }
        // The default name, which depends on its place, is unknown.
        let entries = SourceMappingWriter(mapping, index: 0, comments: [:]).entries(isWholeFile: false)
        let tree = YAMLTree.Entry("sources", .list([.map(entries)]))
        let lines = YAMLTreeWriter.text([tree]).split(separator: "\n").dropFirst()
        let head =
            ["Left out: \(source.reason)"] + (source.attributes.map { [$0] } ?? [])
            + ["To import it, name the entity and its attributes, and remove the marks:"]
        return "\n" + head.map { "  \(YAMLScalarText.comment($0))\n" }.joined() + lines.map { "#\($0)\n" }.joined()
    }

    static func settings(_ settings: ConversionSettings) -> [YAMLTree.Entry] {
        var entries: [YAMLTree.Entry] = []
        func add(_ key: String, _ value: YAMLTree?) {
            if let value { entries.append(YAMLTree.Entry(key, value)) }
        }
        add("date", settings.date.map { .text($0) })
        add("timeZone", settings.timeZone.map { .text($0) })
        add("locale", settings.locale.map { .text($0) })
        add("binary", settings.binary.map { .text($0) })
        add("folder", settings.folder.map { .text($0) })
        add("archive", settings.archive.map { .text($0) })
        add("decimalSeparator", settings.decimalSeparator.map { .text($0) })
        add("groupingSeparator", settings.groupingSeparator.map { .text($0.isEmpty ? "none" : $0) })
        add("yes", settings.yes.map { .texts($0) })
        add("no", settings.no.map { .texts($0) })
        add("trim", settings.trims.map { .flag($0) })
        add("emptyAsNull", settings.emptyAsNull.map { .text($0) })
        add("nullTokens", settings.nullTokens.map { .texts($0) })
        return entries
    }

    static func origin(_ value: ValueOrigin) -> [YAMLTree.Entry] {
        switch value {
        case .column(let name): return [YAMLTree.Entry("from", .text(name))]
        case .firstOf(let names): return [YAMLTree.Entry("from", .texts(names))]
        case .constant(let text): return [YAMLTree.Entry("constant", .text(text))]
        case .template(let template): return [YAMLTree.Entry("text", .text(template.text))]
        case .expression(let expression):
            var entries = [YAMLTree.Entry("expression", .text(expression.text))]
            let renamed = expression.columns.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
            if !renamed.isEmpty {
                entries.append(
                    YAMLTree.Entry("columns", .map(renamed.map { YAMLTree.Entry($0.key, .text($0.value)) })))
            }
            return entries
        }
    }

    /// Returns the column or columns alone; nil if the value is not one.
    static func shortOrigin(_ value: ValueOrigin) -> YAMLTree? {
        switch value {
        case .column(let name): .text(name)
        case .firstOf(let names): .texts(names)
        case .constant, .template, .expression: nil
        }
    }

    static func filter(_ filter: RecordFilter) -> [YAMLTree.Entry] {
        switch filter {
        case .isIn(let column, let texts): return [YAMLTree.Entry(column, .texts(texts))]
        case .isPresent(let column): return [YAMLTree.Entry(column, .map([YAMLTree.Entry("present", .flag(true))]))]
        case .not(.isIn(let column, let texts)):
            return [YAMLTree.Entry(column, .map([YAMLTree.Entry("not", .texts(texts))]))]
        case .not(.isPresent(let column)):
            return [YAMLTree.Entry(column, .map([YAMLTree.Entry("present", .flag(false))]))]
        case .not(.any(let filters)) where filters.count > 1: return [group("none of", filters)]
        case .not(let inner): return [group("none of", [inner])]
        case .any(let filters): return [group("any of", filters)]
        case .all(let filters):
            let entries = filters.flatMap(Self.filter)
            let isPlain =
                filters.count > 1 && Set(entries.map(\.key)).count == entries.count
                && !filters.contains { if case .all = $0 { true } else { false } }
            return isPlain ? entries : [group("all of", filters)]
        }
    }

    private static func group(_ key: String, _ filters: [RecordFilter]) -> YAMLTree.Entry {
        YAMLTree.Entry(key, .list(filters.map { .map(filter($0)) }))
    }
}
