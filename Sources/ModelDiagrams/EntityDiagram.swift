public import ManagedObjectModels
internal import MappingModels

/// A diagram of a model's entities, or of the changes between two versions, as SVG, Mermaid or DOT.
public struct EntityDiagram: Sendable {
    let content: DiagramContent

    /// Makes a diagram of one version: every entity, and every relationship with its inverse as one line.
    public init(of model: ResolvedModel, title: String, detail: DiagramDetail = .all) {
        content = DiagramContent(model, title: title, detail: detail)
    }

    /// Makes a diagram of the changes between two versions: additions, removals, renamings and other changes, marked by
    /// colors and signs.
    ///
    /// - Parameters:
    ///   - source: the earlier version.
    ///   - destination: the later version.
    ///   - title: the heading of the diagram.
    ///   - detail: the amount of detail for each entity.
    ///   - showsUnchanged: whether to include unchanged entities.
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

    /// Returns an SVG drawing with its own layout, which is always the same for the same model.
    /// - Throws: `DiagramError` for too many boxes or lines to be readable.
    public func svg() throws(DiagramError) -> String {
        guard content.nodes.count <= DiagramError.maximumBoxes, content.edges.count <= DiagramError.maximumLines else {
            throw DiagramError(boxes: content.nodes.count, lines: content.edges.count)
        }
        return SVGRenderer(content).text()
    }

    /// Returns text in Mermaid's language, a `classDiagram`.
    public func mermaid() -> String { MermaidRenderer(content).text() }

    /// Returns text in Graphviz's language.
    public func dot() -> String { DOTRenderer(content).text() }
}
