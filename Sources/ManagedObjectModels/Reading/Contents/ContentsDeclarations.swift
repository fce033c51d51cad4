/// The lines on which a source model declares entities and refers to them, for errors that are found at the end.
struct ContentsDeclarations {
    /// A name that must be that of an entity or a composite.
    struct Use {
        enum Kind {
            case destination
            case composite
        }

        let kind: Kind
        let name: String
        let entity: String?
        let property: String
        let line: Int

        init(_ kind: Kind, of name: String, entity: String?, property: String, line: Int) {
            self.kind = kind
            self.name = name
            self.entity = entity
            self.property = property
            self.line = line
        }
    }

    var entityLines: [String: Int] = [:]
    var compositeNames: Set<String> = []
    var uses: [Use] = []

    func validate(_ entities: [EntityDescription], path: String) throws(ModelError) {
        for entity in entities {
            guard let parent = entity.superentityName, entityLines[parent] == nil else { continue }
            throw ModelError(
                .unknownSuperentity(parent), entity: entity.name, path: path, line: entityLines[entity.name])
        }
        if let name = entityInCycle(entities) {
            throw ModelError(.inheritanceCycle, entity: name, path: path, line: entityLines[name])
        }
        for use in uses {
            switch use.kind {
            case .destination:
                guard entityLines[use.name] == nil else { continue }
                throw error(.unknownDestination(use.name), use, path)
            case .composite:
                guard !compositeNames.contains(use.name) else { continue }
                throw error(.unknownComposite(use.name), use, path)
            }
        }
    }

    private func error(_ code: ModelError.Code, _ use: Use, _ path: String) -> ModelError {
        ModelError(code, entity: use.entity, property: use.property, path: path, line: use.line)
    }

    /// Returns an entity that inherits from itself: its chain of superentities does not end.
    private func entityInCycle(_ entities: [EntityDescription]) -> String? {
        var parents: [String: String] = [:]
        for entity in entities { parents[entity.name] = entity.superentityName }
        var rooted: Set<String> = []
        for entity in entities {
            var path: [String] = []
            var onPath: Set<String> = []
            var next: String? = entity.name
            while let name = next, !rooted.contains(name) {
                guard onPath.insert(name).inserted else { return name }
                path.append(name)
                next = parents[name]
            }
            rooted.formUnion(path)
        }
        return nil
    }
}
