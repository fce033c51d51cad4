import PredicateExpressions
import StoreFetching

/// Sources that read the same file, in which their records follow each other.
extension ExportPlanner {
    /// Returns the files, with those of the same name combined.
    mutating func united(_ files: [ExportFile]) -> [ExportFile] {
        var groups: [[ExportFile]] = []
        var places: [String: Int] = [:]
        for file in files {
            if let index = places[file.name] {
                groups[index].append(file)
            } else {
                places[file.name] = groups.count
                groups.append([file])
            }
        }
        return groups.map { $0.count == 1 ? $0[0] : united($0[0].name, $0) }
    }

    private mutating func united(_ name: String, _ sections: [ExportFile]) -> ExportFile {
        var sections = sections
        var first = sections[0]
        let isLaidOutAlike = sections.allSatisfy { other in
            other.format == first.format && other.recordPath == first.recordPath
                && (first.format != .xml || other.elements.around == first.elements.around)
                && other.dialect.delimiter == first.dialect.delimiter && other.dialect.quote == first.dialect.quote
                && other.dialect.escape == first.dialect.escape
                && other.dialect.hasHeader == first.dialect.hasHeader
        }
        let separators = Set(sections.compactMap(\.dialect.listSeparator))
        guard isLaidOutAlike, separators.count < 2 else {
            problems.append(
                ExportProblem(name, "several sources are for it, and their records do not lie in the same way"))
            return first
        }
        let tokens = Array(Set(sections.flatMap(\.dialect.nullTokens))).sorted()
        let columns = Self.allColumns(of: sections)
        var namespaces: [String: String] = [:]
        for section in sections { namespaces.merge(section.elements.namespaces) { first, _ in first } }
        for index in sections.indices {
            sections[index].dialect.listSeparator = separators.first
            sections[index].dialect.nullTokens = tokens
            sections[index].elements.namespaces = namespaces
            if first.format == .csv {
                sections[index].columns = columns.map { column in
                    sections[index].columns.first { $0.path == column.path }
                        ?? ExportColumn(path: column.path, .expression(.constant(.null)), text: column.text)
                }
            }
        }
        for index in sections.indices { addRivals(of: index, in: &sections) }
        first = sections[0]
        first.sections = Array(sections.dropFirst())
        return first
    }

    private static func allColumns(of sections: [ExportFile]) -> [ExportColumn] {
        var columns: [ExportColumn] = []
        for column in sections.flatMap(\.columns) where !columns.contains(where: { $0.path == column.path }) {
            columns.append(column)
        }
        return columns
    }

    /// Adds the other sources of the file, which also read the records unless their elements have another name.
    private mutating func addRivals(of index: Int, in sections: inout [ExportFile]) {
        for (other, rival) in sections.enumerated() where other != index {
            if rival.format == .xml, rival.elements.record != sections[index].elements.record { continue }
            guard let trial = rival.trial, let filter = trial.filter else {
                problems.append(
                    ExportProblem(
                        rival.name,
                        "several sources are for it, and that of \(rival.entity) takes the records of "
                            + "\(sections[index].entity) too; give it a where"))
                continue
            }
            sections[index].trial?.rivals.append(
                ExportTrial.Rival(name: rival.entity, filter: filter, settings: trial.settings))
            sections[index].trial?.isNeeded = isThorough
        }
    }
}
