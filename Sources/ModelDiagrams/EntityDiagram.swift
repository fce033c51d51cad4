public import ManagedObjectModels
internal import MappingModels

/// A diagram of a model's entities, or of what changed between two versions: as SVG, Mermaid or DOT.
public struct EntityDiagram: Sendable {
    let content: DiagramContent

    /// One version: every entity, and every relationship with its inverse as one line.
    public init(of model: ResolvedModel, title: String, detail: DiagramDetail = .all) {
        content = DiagramContent(model, title: title, detail: detail)
    }

    /// The step from one version to another: what was added, removed, renamed and changed, in colours and signs.
    ///
    /// - Parameters:
    ///   - source: the earlier version.
    ///   - destination: the later version.
    ///   - title: the heading of the diagram.
    ///   - detail: which parts of an entity are drawn.
    ///   - showsUnchanged: also entities that did not change.
    public init(
        from source: ResolvedModel, to destination: ResolvedModel, title: String, detail: DiagramDetail = .all,
        showsUnchanged: Bool = false
    ) {
        content =
            ChangeContent(
                ModelCorrespondence(source: source, destination: destination), title: title,
                showsUnchanged: showsUnchanged, detail: detail
            ).content
    }

    /// A drawing with a layout made here; the same for the same model.
    /// - Throws: `DiagramError` for more boxes or lines than anybody could read.
    public func svg() throws(DiagramError) -> String {
        guard content.nodes.count <= DiagramError.maximumBoxes, content.edges.count <= DiagramError.maximumLines else {
            throw DiagramError(boxes: content.nodes.count, lines: content.edges.count)
        }
        return SVGRenderer(content).text()
    }

    /// Text in Mermaid's language, a `classDiagram`.
    public func mermaid() -> String { MermaidRenderer(content).text() }

    /// Text in Graphviz' language.
    public func dot() -> String { DOTRenderer(content).text() }
}
