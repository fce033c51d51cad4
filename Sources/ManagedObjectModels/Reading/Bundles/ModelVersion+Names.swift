extension [ModelVersion] {
    /// Returns the versions that a user may mean: the one at a path, or those with a name, optionally in a bundle
    /// (`Bundle/Name`).
    public func named(_ nameOrPath: String) -> [ModelVersion] {
        let wanted = ModelVersion.withoutExtension(nameOrPath)
        if let version = first(where: { ModelVersion.withoutExtension($0.path) == wanted }) { return [version] }
        let inBundle = filter { $0.description == wanted }
        return inBundle.isEmpty ? filter { $0.name == wanted } : inBundle
    }
}

extension ModelVersion {
    /// Returns a name or path for comparison: without a trailing slash and the extension.
    public static func withoutExtension(_ text: String) -> String {
        var text = text[...]
        while text.count > 1, text.hasSuffix("/") { text = text.dropLast() }
        for end in ["/contents", "/elements", ".xcdatamodel", ".mom"] where text.hasSuffix(end) {
            text = text.dropLast(end.count)
        }
        return String(text)
    }
}
