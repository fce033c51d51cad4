import CommandLineParsing
import ManagedObjectModels
import ModelDiagrams
import StoreMigration

enum DiagramFormat: String, CaseIterable, Sendable {
    case svg, mermaid, dot
}

struct DiagramOptions: SourceOptions {
    var version: String?
    var from: String?
    var to: String?
    var format = DiagramFormat.svg
    var detail = DiagramDetail.all
    var showsAll = false
    var output: String?
    var isForced = false
    var sources = SourceArguments()
    var operands: [String] = []

    static let flags = withSourceFlags([
        .optionalValue(
            "version", \.version, placeholder: "VERSION",
            "The version to draw: its name or its path; by default the current one."),
        .optionalValue("from", \.from, placeholder: "VERSION", "Draw what changed since this version."),
        .optionalValue(
            "to", \.to, placeholder: "VERSION", "With --from: the newer version; by default the current one."),
        .choice("format", \.format, placeholder: "FORMAT", "A drawing, or text for Mermaid or Graphviz."),
        .choice("properties", \.detail, placeholder: "WHICH", "Which properties of an entity to show."),
        .switch("all", \.showsAll, "With --from: show entities that did not change as well."),
        .optionalValue(
            "output", short: "o", \.output, placeholder: "FILE",
            "Write to a file; by default, and with -, to standard output."),
        .force(\.isForced, "a file"),
    ])
}

extension Command {
    static let diagram = Command(
        "diagram", "Draw the entities of a model, or what changed between two versions",
        discussion:
            "PATH is a model bundle, a model, a folder with some, or a store that carries its model. A "
            + "relationship and its inverse are one line, whose ends are at their rows and show whether they are "
            + "to-one or to-many. With --from, colours and signs show what was added, removed, renamed and changed.",
        operands: .one("PATH"), options: DiagramOptions.self
    ) { options in
        if options.version != nil, options.to != nil { throw UsageError.conflict("--version", with: "--to") }
        if options.version != nil, options.from != nil { throw UsageError.conflict("--version", with: "--from") }
        if options.to != nil, options.from == nil { throw UsageError.dependent("--to", on: "--from") }
        if options.showsAll, options.from == nil { throw UsageError.dependent("--all", on: "--from") }
        if let output = options.output { try CommandOutput.check(output, isReplacing: options.isForced) }
        let diagram = try diagram(options)
        let text =
            switch options.format {
            case .svg: try diagram.svg()
            case .mermaid: diagram.mermaid()
            case .dot: diagram.dot()
            }
        if let output = options.output {
            try CommandOutput.write(text, to: output, isReplacing: options.isForced)
        } else {
            Console.print(document: text)
        }
        return .done
    }

    private static func diagram(_ options: DiagramOptions) throws -> EntityDiagram {
        let versions = try ModelVersions(
            modelOrStoreAt: options.operands[0], sources: options.sources.selection)
        versions.warnings.forEach { Console.note("warning: \($0)\n") }
        let version = try (options.version ?? options.to).map { try versions.version($0) } ?? versions.current()
        let model = try ResolvedModel(try version.model())
        guard let from = options.from else {
            return EntityDiagram(of: model, title: version.name, detail: options.detail)
        }
        let older = try versions.version(from)
        return EntityDiagram(
            from: try ResolvedModel(try older.model()), to: model, title: "\(older.name) → \(version.name)",
            detail: options.detail, showsUnchanged: options.showsAll)
    }
}
