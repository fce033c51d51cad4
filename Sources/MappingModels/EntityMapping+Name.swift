extension EntityMapping {
    /// Returns the name that Xcode gives a mapping by default: `AToB`, or the name of the only entity.
    public static func generatedName(source: String?, destination: String?) -> String {
        switch (source, destination) {
        case (let source?, let destination?): "\(source)To\(destination)"
        case (nil, let name?), (let name?, nil): name
        case (nil, nil): ""
        }
    }
}
