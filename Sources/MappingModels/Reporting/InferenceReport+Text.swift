extension InferenceReport {
    /// The mapping for people to read: its failures, then each entity with the properties that change.
    public var text: String {
        var result: String
        switch verdict {
        case .inferable: result = "inferable\n"
        case .dataDependent: result = "inferable, but some data would make the migration fail:\n"
        case .refused: result = "refused:\n"
        }
        for failure in failures where !failure.isDataDependent { result += failure.lines }
        if verdict == .refused, failures.contains(where: \.isDataDependent) {
            result += "also, some data would make a migration fail:\n"
        }
        for failure in failures where failure.isDataDependent { result += failure.lines }
        let width = entityMappings.map(\.name.count).max() ?? 0
        return result + "\n" + entityMappings.map { $0.text(nameWidth: width) }.joined()
    }
}

extension InferenceReport.Failure {
    fileprivate var lines: String {
        let subject = property.map { "\(entity).\($0)" } ?? entity
        return "  \(subject): \(problem)\n    \(remedy) (\(cocoaCode))\n"
    }
}

extension InferenceReport.Entity {
    fileprivate func text(nameWidth: Int) -> String {
        let title = name + String(repeating: " ", count: nameWidth - name.count) + "  "
        switch type {
        case "add": return title + "new\n"
        case "remove": return title + "dropped with its objects\n"
        case "copy": return title + "as it is\n"
        default: break
        }
        let properties = attributes + relationships
        let kept = properties.filter { $0.source == $0.name }.count
        var result = title + "\(source ?? "") -> \(destination ?? "")"
        result += kept == 0 ? "\n" : kept == 1 ? ", 1 property as it is\n" : ", \(kept) properties as they are\n"
        for property in properties where property.source != property.name {
            result += "  " + (property.source.map { "\(property.name) <- \($0)" } ?? "\(property.name) is new") + "\n"
        }
        for name in dropped { result += "  \(name) is dropped\n" }
        return result
    }
}
