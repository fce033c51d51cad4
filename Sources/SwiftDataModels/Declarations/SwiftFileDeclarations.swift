/// What one source file declares.
struct SwiftFileDeclarations: Sendable {
    var types: [SwiftTypeDeclaration] = []
    var aliases: [SwiftTypeAlias] = []
    var globals: [SwiftProperty] = []
    var calls: [SwiftSchemaCall] = []
}
