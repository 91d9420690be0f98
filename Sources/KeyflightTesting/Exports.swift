// What a test writes an app's replay with.
@_exported public import KeyflightEngine
@_exported public import RegressionGate
