/// True in a release build, which alone reads inputs of the largest sizes and tries every combination: without
/// optimisation that takes minutes, and what it shows is the same.
public let isOptimisedBuild: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
