import ExternalPrograms
import ValueTransformers

/// The value transformers of a model that one program is for; nil for what is no command line.
func transformers(named names: [String], from command: String) -> ValueTransformerRegistry? {
    guard var program = ExternalProgram(command) else { return nil }
    program.patience = 10
    return names.reduce(ValueTransformerRegistry()) { registry, name in
        registry.registering(ProgramTransformer(program, as: name), as: name)
    }
}
